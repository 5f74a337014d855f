/** Bytes in memory that all threads share: sending them to another thread does not copy them. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;

/** Offsets of rows in a feed's bytes; the last one is the end of the last row. */
export type RowStarts = Uint32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer>;

/** Rows that stay bytes until a thread reads one. */
interface RowsAsBytes {
  readonly bytes: SharedBytes;
  readonly starts: RowStarts;
}

export interface CsvFeed extends RowsAsBytes {
  readonly format: "csv";
  readonly delimiter: string;
  readonly rowEnd: "\n" | "\r";
  /** The column of each field of a row; null for a field without a name, which is left out of rows. */
  readonly fields: readonly (string | null)[];
  readonly columns: readonly string[];
}

/** Each row is JSON. */
export interface JsonFeed extends RowsAsBytes {
  readonly format: "json";
  /** The columns of all rows together. */
  readonly columns: readonly string[];
}

/** Each row is a value that `node:v8` serialized. */
export interface SerializedFeed extends RowsAsBytes {
  readonly format: "serialized";
  /** The columns of all rows together. */
  readonly columns: readonly string[];
}

/** Rows that the test gives as a list: `node:v8` serialized it as a whole, because rows may share parts. */
export interface ListFeed {
  readonly format: "list";
  readonly bytes: SharedBytes;
  readonly rows: number;
}

/** The rows of one feed: read and checked once, parsed by each thread as it needs them. */
export type SharedFeed = CsvFeed | JsonFeed | SerializedFeed | ListFeed;

/** The feeds of a test, in the form that is shared between threads. */
export interface SharedFeeds {
  readonly byName: Readonly<Record<string, SharedFeed>>;
  /** Values in rows under names that mark them as secret. */
  readonly secrets: readonly string[];
  /** False if rows may contain other secrets: these must be found when rows are handed out. */
  readonly hasAllSecrets: boolean;
}

export const noFeeds: SharedFeeds = { byName: {}, secrets: [], hasAllSecrets: true };

export function countRows(feed: SharedFeed): number {
  return feed.format === "list" ? feed.rows : feed.starts.length - 1;
}
