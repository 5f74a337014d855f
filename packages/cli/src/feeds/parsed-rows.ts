/** A row as its file has it, before a schema judged it. */
export interface ParsedRow {
  readonly value: unknown;
  /** Where it stands, such as `users.csv:4`. */
  readonly place: string;
}

/** Something wrong with a feed's rows. */
export interface RowProblem {
  /** The file, with the line where there is one. Null where the problem is no single place's. */
  readonly place: string | null;
  /** A sentence. */
  readonly message: string;
}

/** What a file holds: rows, and everything in it that is wrong. */
export interface ParsedRows {
  readonly rows: readonly ParsedRow[];
  readonly problems: readonly RowProblem[];
}
