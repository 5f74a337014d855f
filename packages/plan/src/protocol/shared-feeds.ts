/** Bytes in memory that all threads share: sent to another thread, they are not copied. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;

/** Offsets of rows in a feed's bytes; the last one is the end of the last row. */
export type RowStarts = Uint32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer>;

/** Rows that stay bytes until a thread asks for one. */
interface RowsAsBytes {
  readonly bytes: SharedBytes;
  readonly starts: RowStarts;
}

export interface CsvFeed extends RowsAsBytes {
  readonly format: "csv";
  readonly delimiter: string;
  readonly rowEnd: "\n" | "\r";
  /** The column of each field of a row; null for one without a name, which rows do not have. */
  readonly fields: readonly (string | null)[];
  readonly columns: readonly string[];
}

/** Each row is JSON. */
export interface JsonFeed extends RowsAsBytes {
  readonly format: "json";
  /** All that any row has. */
  readonly columns: readonly string[];
}

/** Each row is a value that `node:v8` serialized. */
export interface SerializedFeed extends RowsAsBytes {
  readonly format: "serialized";
  /** All that any row has. */
  readonly columns: readonly string[];
}

/** Rows that the test holds: one list that `node:v8` serialized, because rows may share parts. */
export interface ListFeed {
  readonly format: "list";
  readonly bytes: SharedBytes;
  readonly rows: number;
}

/** The rows of one feed: read and checked once, parsed by each thread as it needs them. */
export type SharedFeed = CsvFeed | JsonFeed | SerializedFeed | ListFeed;

/** The feeds of a test as they cross threads. */
export interface SharedFeeds {
  readonly byName: Readonly<Record<string, SharedFeed>>;
  /** Values of rows whose names say that they are secrets. */
  readonly secrets: readonly string[];
  /** False if rows may hold other secrets: those must be found as rows are given out. */
  readonly hasAllSecrets: boolean;
}

/** A test without feeds. */
export const noFeeds: SharedFeeds = { byName: {}, secrets: [], hasAllSecrets: true };

export function countRows(feed: SharedFeed): number {
  return feed.format === "list" ? feed.rows : feed.starts.length - 1;
}
