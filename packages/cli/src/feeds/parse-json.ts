import { parse as parseTree } from "@humanwhocodes/momoa";

import { unreadableRows, type ParsedRows, type RowProblem } from "./parsed-rows.ts";

/** Rows of a JSON text that holds one list. */
export function parseJson(text: string, file: string): ParsedRows {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadableRows(`${file}:${lineOfMistake(text, error)}`, describe(error));
  }
  if (!Array.isArray(value)) return unreadableRows(file, "the file must contain an array of rows: [ … ].");
  let lines: readonly number[] | undefined;
  return {
    rows: value,
    problems: [],
    placeOf: (index) => `${file}:${(lines ??= linesOfItems(text))[index]}, row ${index + 1}`,
  };
}

/** The line on which each item of a list begins. */
function linesOfItems(text: string): number[] {
  const { body } = parseTree(text, { mode: "json" });
  return body.type === "Array" ? body.elements.map(({ loc }) => loc.start.line) : [];
}

/** Rows of a text with one JSON value a line; blank lines are left out. */
export function parseNdjson(text: string, file: string): ParsedRows {
  const rows: unknown[] = [];
  const rowLines: number[] = [];
  const problems: RowProblem[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line));
      rowLines.push(index + 1);
    } catch (error) {
      problems.push({ place: `${file}:${index + 1}`, message: describe(error) });
    }
  }
  return { rows, problems, placeOf: (index) => `${file}:${rowLines[index]}` };
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
  return told === undefined ? lineOfToken(text) : Number(told);
}

/** V8 does not say where an unexpected token stands. */
function lineOfToken(text: string): number {
  try {
    parseTree(text, { mode: "json" });
  } catch (error) {
    if (error instanceof Error && "line" in error) return Number(error.line);
    throw error;
  }
  return 1;
}
