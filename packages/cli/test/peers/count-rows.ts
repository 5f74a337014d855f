import { DatabaseSync } from "node:sqlite";

/** Returns how many rows a table of an SQLite database has, while the application uses it. */
export function countRows(path: string, table: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]);
}
