import { escapeInvisible } from "./quote-text.ts";
import type { TableWords, Vocabulary } from "./vocabulary.ts";

/** A file that a test needs beside it. */
export interface TestFile {
  /** Relative, with `/`. */
  readonly name: string;
  readonly text: string;
}

/** The tables of a test as JSON: a list of rows. */
export function writeDataFiles({ tables }: Vocabulary): TestFile[] {
  return Array.from(tables.values(), (words) => ({
    name: `data/${words.identifier}.json`,
    text: `${escapeInvisible(JSON.stringify(rowsOf(words), null, 2))}\n`,
  }));
}

function rowsOf({ table, keys }: TableWords): Record<string, string>[] {
  return table.rows.map((row) =>
    Object.fromEntries(
      table.columns.map((column, index) => [keys.get(column) ?? "", row[index] ?? ""] as const),
    ),
  );
}
