import { deserialize, serialize } from "node:v8";

/** Rows by the names of feeds. */
export type RowsByFeed = Readonly<Record<string, readonly unknown[]>>;

/** The rows of a test's feeds, read once. */
export interface LoadedFeeds {
  readonly rows: RowsByFeed;
  /** The rows as bytes that all threads share; null where there are none, or problems. */
  readonly shared: SharedArrayBuffer | null;
  /** A sentence for everything that is wrong with them. */
  readonly problems: readonly string[];
}

/** A test without feeds. */
export const noFeeds: LoadedFeeds = { rows: {}, shared: null, problems: [] };

/** Rows as they cross threads: as bytes, which are not copied. Each worker makes its own rows of them. */
export function shareRows(rows: RowsByFeed): LoadedFeeds {
  const problems = uncopyableRows(rows);
  if (problems.length > 0) return { rows, shared: null, problems };
  const bytes = serialize(rows);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return { rows, shared, problems };
}

/** The rows that {@link shareRows} shared. */
export function readSharedRows(shared: SharedArrayBuffer | null): RowsByFeed {
  // They are what this very process wrote.
  return shared === null ? {} : (deserialize(new Uint8Array(shared)) as RowsByFeed);
}

/** A sentence for each feed with rows that cannot be copied to the workers, such as functions. */
function uncopyableRows(rows: RowsByFeed): string[] {
  return Object.entries(rows).flatMap(([name, list]) => {
    if (canBeCopied(list)) return [];
    const at = list.findIndex((row) => !canBeCopied(row));
    return [`feeds.${name}: row ${at + 1} cannot be copied to the workers. Give plain data.`];
  });
}

function canBeCopied(value: unknown): boolean {
  try {
    serialize(value);
    return true;
  } catch {
    return false;
  }
}
