import { displayWidth, takeColumns } from "./display-width.ts";

/** Breaks a text at its spaces into lines of at most `columns`; a word that is longer is broken too, or stands alone. */
export function wrap(text: string, columns: number, breaksWords = true): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (displayWidth(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (breaksWords && displayWidth(line) > columns) {
      const beginning = takeColumns(line, columns);
      lines.push(beginning);
      line = line.slice(beginning.length);
    }
  }
  return [...lines, line];
}
