/** A row as its file has it, before a schema judged it. */
export interface ParsedRow {
  readonly value: unknown;
  /** Where it stands, such as `users.csv:4`. */
  readonly place: string;
}

/** What a file holds: rows, and a sentence for everything in it that is wrong. */
export interface ParsedRows {
  readonly rows: readonly ParsedRow[];
  readonly problems: readonly string[];
}
