/** Control characters that JSON leaves as they are, line separators and controls of writing direction. */
const unprintable = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text in double quotes for a message: on one line, whatever it holds, and nothing that a terminal obeys. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
