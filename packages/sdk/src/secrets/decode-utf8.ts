/** Every JavaScript host has it; the SDK needs the types of none. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();
const replacement = "\ufffd";
/** The replacement character itself. */
const replacementBytes = "\xef\xbf\xbd";

/**
 * The text of bytes, given as one character each; null where they are no UTF-8. A decoder that throws would take longer
 * over that than over all else: most of what might be base64 of a text is not.
 */
export function decodeUtf8(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const codes = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) codes[at] = bytes.charCodeAt(at);
  const text = decoder.decode(codes);
  return countOf(text, replacement) === countOf(bytes, replacementBytes) ? text : null;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
