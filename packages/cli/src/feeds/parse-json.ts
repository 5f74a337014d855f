import type { ParsedRow, ParsedRows, RowProblem } from "./parsed-rows.ts";

/** Rows of a JSON text that holds one list. */
export function parseJson(text: string, file: string): ParsedRows {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const place = `${file}:${lineOfMistake(text, error)}`;
    return { rows: [], problems: [{ place, message: describe(error) }] };
  }
  if (!Array.isArray(value)) {
    const message = "the file must contain an array of rows: [ … ].";
    return { rows: [], problems: [{ place: file, message }] };
  }
  const lines = linesOfItems(text);
  const rows = value.map((row: unknown, index) => ({
    value: row,
    place: `${file}:${lines[index]}, row ${index + 1}`,
  }));
  return { rows, problems: [] };
}

/** The line on which each item of a list begins. `text` is valid JSON, so brackets outside of texts match. */
function linesOfItems(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let isAwaited = false;
  for (const [token] of text.matchAll(/\n|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},]/g)) {
    if (token === "\n") line++;
    else if (depth === 1 && token === ",") isAwaited = true;
    else {
      if (isAwaited && token !== "]") lines.push(line);
      if (token === "[" || token === "{") depth++;
      else if (token === "]" || token === "}") depth--;
      isAwaited = depth === 1 && lines.length === 0;
    }
  }
  return lines;
}

/** Rows of a text with one JSON value a line; blank lines are left out. */
export function parseNdjson(text: string, file: string): ParsedRows {
  const rows: ParsedRow[] = [];
  const problems: RowProblem[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}`;
    try {
      rows.push({ value: JSON.parse(line), place });
    } catch (error) {
      problems.push({ place, message: describe(error) });
    }
  }
  return { rows, problems };
}

/** Rows of a list, numbered from 1. */
export function rowsOf(list: readonly unknown[], called: string): ParsedRow[] {
  return list.map((value, index) => ({ value, place: `${called} ${index + 1}` }));
}

/** Without the position, and without the piece of the text that V8 quotes: it may hold a password. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message
    .replace(/, (?:\.\.\.)?".*" is not valid JSON$/s, "")
    .replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, "");
  return `this is not JSON: ${reason}.`;
}

function lineOfMistake(text: string, error: unknown): number {
  const told = /\(line (\d+) column \d+\)$/.exec(String(error))?.[1];
  if (told !== undefined) return Number(told);
  // V8 does not say where an unexpected token stands: it is the last one of the shortest beginning that has it.
  let [shortest, longest] = [0, text.length];
  while (shortest < longest) {
    const middle = Math.floor((shortest + longest) / 2);
    if (isUnexpectedToken(text.slice(0, middle))) longest = middle;
    else shortest = middle + 1;
  }
  return text.slice(0, longest).split("\n").length;
}

function isUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof SyntaxError && error.message.startsWith("Unexpected token");
  }
}
