/** How much of what came is shown. */
const shown = 48;

/** The first bytes of what a peer sent, one character each, in quotes and harmless wherever it is printed. */
export function quoteBytes(text: string): string {
  const escaped = JSON.stringify(text.slice(0, shown)).replace(
    /[\x7f-\xff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16)}`,
  );
  return text.length > shown ? `${escaped}…` : escaped;
}
