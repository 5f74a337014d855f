/** Width of everything that is shown as text. */
export const pageWidth = 100;

const ellipsis = "…";

/** At most so many characters, the middle left out: what a name ends in tells as much as what it begins with. */
export function shorten(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const tail = Math.floor((width - 1) / 3);
  return [...characters.slice(0, width - 1 - tail), ellipsis, ...characters.slice(-tail)].join("");
}

/** One line, the second text at its right end. */
export function spread(left: string, right: string): string {
  const room = pageWidth - lengthOf(right) - 1;
  const shown = shorten(left, room);
  return `${shown}${" ".repeat(Math.max(1, pageWidth - lengthOf(shown) - lengthOf(right)))}${right}`.trimEnd();
}

/** Breaks a text at its spaces into lines that fit behind an indent; a word that is longer is shortened. */
export function wrap(text: string, indent: string): string[] {
  const room = pageWidth - lengthOf(indent);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || lengthOf(joined) > room) lines.push(shorten(word, room));
    else lines[lines.length - 1] = joined;
  }
  return lines.map((line) => `${indent}${line}`.trimEnd());
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Filled up with spaces on its right. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - lengthOf(text)));
}
