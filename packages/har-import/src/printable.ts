import { printable as printableText } from "@bearhug/text/printable";

/** Makes a text of a capture safe to display on one line, and shortens it. */
export function printable(text: string, maxCharacters = 200): string {
  return printableText(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
}

/** "1 page", "2 pages". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
