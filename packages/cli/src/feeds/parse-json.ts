import type { ParsedRow, ParsedRows } from "./parsed-rows.ts";

/** Rows of a JSON text that holds one list. */
export function parseJson(text: string, file: string): ParsedRows {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
    const place = line === undefined ? file : `${file}:${line}`;
    return { rows: [], problems: [`${place}: this is not JSON: ${message}.`] };
  }
  if (Array.isArray(value)) return { rows: rowsOf(value, `${file}, row`), problems: [] };
  return { rows: [], problems: [`${file} must hold a list of rows: [ … ].`] };
}

/** Rows of a text with one JSON value a line; blank lines are left out. */
export function parseNdjson(text: string, file: string): ParsedRows {
  const rows: ParsedRow[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}`;
    try {
      rows.push({ value: JSON.parse(line), place });
    } catch (error) {
      problems.push(`${place}: this is not JSON: ${messageOf(error)}.`);
    }
  }
  return { rows, problems };
}

/** Rows of a list, numbered from 1. */
export function rowsOf(list: readonly unknown[], called: string): ParsedRow[] {
  return list.map((value, index) => ({ value, place: `${called} ${index + 1}` }));
}

/** Without the piece of the text that V8 quotes: it may hold a password. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, (?:\.\.\.)?".*" is not valid JSON/s, "");
}
