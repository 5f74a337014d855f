/** Control characters, line and paragraph separators, bidi controls, invisible marks, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Text of a capture that cannot move a cursor, change a direction or start a new line: such characters as `\u{1b}`. */
export function printable(text: string, maxCharacters = 200): string {
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return shown.replace(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
