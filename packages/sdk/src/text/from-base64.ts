const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values: ReadonlyMap<string, number> = new Map(
  Array.from(alphabet, (character, value) => [character, value]),
);

/**
 * The bytes that a text stands for in base64 (RFC 4648), such as a picture to send as a `body`.
 * @throws {SyntaxError} for a character that is none of base64's.
 */
export function fromBase64(text: string): Uint8Array {
  const digits = text.replace(/={0,2}$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let buffer = 0;
  let length = 0;
  for (const digit of digits) {
    const value = values.get(digit);
    if (value === undefined)
      throw new SyntaxError(`fromBase64: ${JSON.stringify(digit)} is not a base64 character.`);
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (buffer >> bits) & 0xff;
  }
  return bytes;
}
