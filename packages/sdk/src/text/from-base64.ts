/** Declared here because every JavaScript platform has it, and the SDK needs the types of none. */
declare const atob: (base64: string) => string;

/**
 * Decodes base64 (RFC 4648) to bytes, such as an image to send as a `body`. Padding is optional.
 * @throws {SyntaxError} for a character that is not in the base64 alphabet.
 */
export function fromBase64(text: string): Uint8Array {
  const digits = text.replace(/={0,2}$/, "");
  const stray = /[^\w+/]|_/u.exec(digits)?.[0];
  if (stray !== undefined)
    throw new SyntaxError(`fromBase64: ${JSON.stringify(stray)} is not a base64 character.`);
  // A single last digit has only six bits, which is no byte: it is ignored.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
