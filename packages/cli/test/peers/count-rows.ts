import { DatabaseSync } from "node:sqlite";

/** Rows of a table of an SQLite database, read beside the application. */
export function countRows(path: string, table: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]);
}
