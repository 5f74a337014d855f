const mask = "***";

/** Shorter values would be found in every second word. */
const leastLength = 3;

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/** A function that replaces every secret in a text, also where it stands encoded for an address, JSON or base64. */
export function createMask(secrets: readonly string[]): Mask {
  const forms = new Set(secrets.filter((secret) => secret.length >= leastLength).flatMap(formsOf));
  // The longest first: a secret within another must not leave the rest of it behind.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  return (text) => ordered.reduce((masked, form) => masked.replaceAll(form, mask), text);
}

function formsOf(secret: string): string[] {
  const whole = secret.toWellFormed();
  const address = URL.parse(`http://host/?${whole}`);
  const path = URL.parse(`http://host/${whole}`);
  return [
    secret,
    encodeURIComponent(whole),
    new URLSearchParams({ v: whole }).toString().slice(2),
    address === null ? "" : address.search.slice(1),
    path === null ? "" : path.pathname.slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(whole).toString("base64"),
    ...base64Forms(whole),
  ].filter((form) => form.length >= leastLength);
}

/** Shorter pieces of base64 would be found by chance. */
const leastBase64 = 8;

/**
 * The characters of a text's base64 that do not depend on what stands before it, for each of the three ways in which
 * it can lie among the groups: so it is found within `user:password`, too. Once as at the end, and once as before more.
 */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const groups = bytes.subarray(0, bytes.length - (bytes.length % 3));
    return [bytes, groups]
      .map((lying) => lying.toString("base64").slice(before === 0 ? 0 : 4))
      .filter((form) => form.length >= leastBase64);
  });
}
