/** Every JavaScript host has it; the SDK needs the types of none. */
declare const atob: (base64: string) => string;

/**
 * The bytes that a text stands for in base64 (RFC 4648), such as a picture to send as a `body`.
 * @throws {SyntaxError} for a character that is none of base64's.
 */
export function fromBase64(text: string): Uint8Array {
  const digits = text.replace(/={0,2}$/, "");
  const stray = /[^\w+/]|_/u.exec(digits)?.[0];
  if (stray !== undefined)
    throw new SyntaxError(`fromBase64: ${JSON.stringify(stray)} is not a base64 character.`);
  // Six bits alone are no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
