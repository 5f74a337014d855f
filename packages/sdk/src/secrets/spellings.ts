/** Every JavaScript host has both; the SDK needs the types of none. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const btoa: (bytes: string) => string;

/** A text as it is, as a form writes its blanks, as its bytes, one character each, in hexadecimal digits and in base64. */
export function spellings(text: string, mostCharacters: number): string[] {
  const beginning = text.slice(0, mostCharacters);
  const bytes = toBytes(beginning);
  const inside = [
    bytes,
    toBytes(JSON.stringify(beginning).slice(1, -1)),
    encodeURIComponent(beginning.toWellFormed()),
  ];
  const base64 = [...new Set(inside)].flatMap(base64Forms);
  const hex = toHex(bytes);
  return [
    text,
    text.replaceAll(" ", "+"),
    bytes,
    bytes.replaceAll(" ", "+"),
    hex,
    hex.toUpperCase(),
    ...base64,
  ];
}

function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function toHex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * The characters of some bytes' base64 that do not depend on what stands before them, for each of the three ways in
 * which they can lie among the groups: so a password is found within `user:password`, too. Once as before more, and
 * once as at the end.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = btoa("\0".repeat(before) + bytes);
    const first = Math.ceil((before * 8) / 6);
    const middle = whole.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    return [middle, whole.slice(first), whole.slice(first).replace(/=+$/, "")].flatMap((form) => [
      form,
      form.replaceAll("+", "-").replaceAll("/", "_"),
    ]);
  });
}
