/** Controls, bidi and other invisible formats, line separators, lone surrogates, and what no font knows. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const beyondAscii = /[^\x20-\x7e]/gu;

const shortEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\u001b": "\\e",
};

/**
 * A text of a target, a capture or a test, made safe to show on one line of a terminal: nothing in it moves
 * the cursor, colours, reorders or hides. Where only ASCII can be shown, all else is escaped too. A CI runner that reads
 * the log takes `##[` for a command, wherever it stands.
 */
export function printable(text: string, { unicode = true }: { readonly unicode?: boolean } = {}): string {
  const visible = text.replace(unprintable, escape).replaceAll("##[", "#\\u{23}[");
  return unicode ? visible : visible.replace(beyondAscii, escape);
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).padStart(2, "0")}}`;
}

/** Control characters that JSON leaves as they are, line separators and controls of writing direction. */
const notInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A value as JSON that can be shown in a terminal: it moves no cursor, colours, reorders or hides nothing. */
export function printableJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    notInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text in double quotes for a message: on one line, whatever it holds, and nothing that a terminal obeys. */
export function quote(text: string): string {
  return printableJson(text);
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in an element or between quotes of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
