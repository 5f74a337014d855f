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
 * What a target, a capture or a test says, made safe to show on one line of a terminal: nothing in it moves
 * the cursor, colours, reorders or hides. Where only ASCII can be shown, all else is escaped too.
 */
export function printable(text: string, { unicode = true }: { readonly unicode?: boolean } = {}): string {
  return text.replace(unprintable, escape).replace(unicode ? /$^/ : beyondAscii, escape);
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).padStart(2, "0")}}`;
}
