/** Something wrong with a feed's rows. */
export interface RowProblem {
  /** The file, with the line where there is one. Null where the problem is no single place's. */
  readonly place: string | null;
  /** A sentence. */
  readonly message: string;
}

/** The rows of a file as it has them, before a schema validates them, and everything in it that is wrong. */
export interface ParsedRows {
  readonly rows: readonly unknown[];
  readonly problems: readonly RowProblem[];
  /** The place of a row by its index, such as `users.csv:4`. */
  readonly placeOf: (index: number) => string;
}

/** A file that has no rows because of one problem. */
export function unreadableRows(place: string | null, message: string): ParsedRows {
  return { rows: [], problems: [{ place, message }], placeOf: () => place ?? "" };
}
