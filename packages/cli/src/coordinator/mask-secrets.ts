const mask = "***";

/** Shorter values would be found in every second word. */
const leastLength = 3;

/** A function that replaces every secret in a text, also where it stands encoded for an address or JSON. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= leastLength)
      .flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ v: secret }).toString().slice(2),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString("base64"),
      ]),
  );
  // The longest first: a secret within another must not leave the rest of it behind.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  return (text) => ordered.reduce((masked, form) => masked.replaceAll(form, mask), text);
}

/** A copy of plain data with every text in it masked, keys included. */
export function maskDeep<Value extends object>(value: Value, maskText: (text: string) => string): Value {
  const copy = structuredClone(value);
  maskInPlace(copy, maskText);
  return copy;
}

function maskInPlace(whole: object, maskText: (text: string) => string): void {
  for (const [key, part] of Object.entries<unknown>({ ...whole })) {
    const maskedKey = maskText(key);
    if (maskedKey !== key) Reflect.deleteProperty(whole, key);
    if (typeof part === "string") Reflect.set(whole, maskedKey, maskText(part));
    else if (maskedKey !== key) Reflect.set(whole, maskedKey, part);
    if (typeof part === "object" && part !== null) maskInPlace(part, maskText);
  }
}
