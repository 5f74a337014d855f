import { inspect } from "node:util";
import { deserialize } from "node:v8";

import { countRows, type SharedFeed } from "../protocol/shared-feeds.ts";
import { csvRowReader } from "./parse-csv.ts";
import { jsonRowReader } from "./parse-json.ts";

/** Rows of feeds up to this size are parsed once and kept. */
const maxKeptBytes = 2 ** 20;

/** Opens the rows of a feed in this thread. `finish` prepares each row after it was parsed. */
export function openRows(feed: SharedFeed, finish: (row: unknown) => unknown): readonly unknown[] {
  if (feed.format === "list") {
    // This process itself wrote these bytes.
    const rows = deserialize(feed.bytes) as unknown[];
    return Object.freeze(rows.map(finish));
  }
  const read = rowReader(feed);
  const rows = parsedOnDemand(countRows(feed), (index) => finish(read(index)));
  return feed.bytes.length <= maxKeptBytes ? Object.freeze([...rows]) : rows;
}

/** Returns a function that parses the row at an index. */
export function rowReader(feed: Exclude<SharedFeed, { format: "list" }>): (index: number) => unknown {
  const { bytes, starts } = feed;
  const rowBytes = (index: number): Uint8Array => bytes.subarray(starts[index], starts[index + 1]);
  switch (feed.format) {
    case "json":
      return jsonRowReader(feed);
    case "serialized":
      return (index) => deserialize(rowBytes(index)) as unknown;
    case "csv": {
      const read = csvRowReader(feed);
      return (index) => read(rowBytes(index));
    }
  }
}

/** Returns a read-only list that parses an item each time it is read. */
function parsedOnDemand(count: number, read: (index: number) => unknown): readonly unknown[] {
  const target: unknown[] = [];
  target.length = count;
  const rows: unknown[] = new Proxy(target, {
    get: (list, key, receiver) => {
      const index = indexOf(key, count);
      return index === null ? (Reflect.get(list, key, receiver) as unknown) : read(index);
    },
    has: (list, key) => indexOf(key, count) !== null || Reflect.has(list, key),
    ownKeys: (list) => [...Array.from(list, (_, index) => String(index)), ...Reflect.ownKeys(list)],
    getOwnPropertyDescriptor: (list, key) => {
      const index = indexOf(key, count);
      if (index === null) return Reflect.getOwnPropertyDescriptor(list, key);
      return { value: read(index), writable: false, enumerable: true, configurable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
  // `console.log` looks through a proxy at its target, which is empty.
  Object.defineProperty(target, inspect.custom, {
    value: () => {
      const shown = rows.slice(0, maxInspected);
      shown.length = count;
      return shown;
    },
  });
  return rows;
}

/** The most items of a list that Node prints. */
const maxInspected = 100;

/** Returns the index that a key of a list stands for; null for any other key. */
function indexOf(key: string | symbol, count: number): number | null {
  if (typeof key === "symbol") return null;
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < count && String(index) === key ? index : null;
}
