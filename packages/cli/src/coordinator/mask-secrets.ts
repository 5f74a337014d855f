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

/** Plain data with every text in it masked, keys included. */
export function maskDeep<Value>(value: Value, maskText: (text: string) => string): Value {
  const text = JSON.stringify(value);
  const masked: Value = JSON.parse(text, (_key, part: unknown) => maskPart(part, maskText));
  return masked;
}

function maskPart(part: unknown, maskText: (text: string) => string): unknown {
  if (typeof part === "string") return maskText(part);
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [maskText(key), value]));
}
