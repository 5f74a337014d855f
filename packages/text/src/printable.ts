/**
 * Controls, bidi and other invisible formats, line separators, lone surrogates, private-use and unassigned
 * characters.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const beyondAscii = /[^\x20-\x7e]/gu;

const shortEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\u001b": "\\e",
};

/**
 * Returns a text of a target, a capture or a test, made safe to show on one line of a terminal: nothing in it
 * moves the cursor, or colours, reorders or hides text. Without `unicode`, all characters beyond ASCII are
 * escaped, too. `##[` is escaped because CI runners take it for a command anywhere in the log.
 */
export function printable(text: string, { unicode = true }: { readonly unicode?: boolean } = {}): string {
  const visible = text.replace(unprintable, escape).replaceAll("##[", "#\\u{23}[");
  return unicode ? visible : visible.replace(beyondAscii, escape);
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).padStart(2, "0")}}`;
}

/**
 * Characters that JSON does not escape: some control characters, line separators and controls of writing
 * direction.
 */
const notInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Returns a value as JSON that is safe to show in a terminal: nothing in it moves the cursor or reorders
 * text.
 */
export function printableJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    notInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Quotes a text for a message: always on one line, and without anything that controls a terminal. */
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

/** Escapes a text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
