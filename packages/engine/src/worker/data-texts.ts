import { serialize } from "node:v8";

import type { SharedFeed, SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";

/**
 * Returns a function that returns true for a short text of ASCII that is a value in a feed's rows or in the data
 * of setup. It searches bytes, because to parse all rows would stop the load for seconds.
 */
export function dataTexts({ byName }: Pick<SharedFeeds, "byName">, data: unknown): (text: string) => boolean {
  const found = new Map<string, boolean>();
  return (text) => {
    const known = found.get(text);
    if (known !== undefined) return known;
    const isFound = Object.values(byName).some((feed) => hasInFeed(feed, text)) || hasInData(data, text);
    if (found.size < maxFound) found.set(text, isFound);
    return isFound;
  };
}

const maxFound = 1000;

function hasInFeed(feed: SharedFeed, text: string): boolean {
  switch (feed.format) {
    case "csv":
      return hasField(feed, text);
    case "json":
      return bufferOf(feed.bytes).includes(JSON.stringify(text));
    case "serialized":
    case "list":
      return hasSerialized(feed.bytes, text);
  }
}

function hasField(
  { bytes, starts, delimiter, rowEnd }: Extract<SharedFeed, { format: "csv" }>,
  text: string,
): boolean {
  const rows = bufferOf(bytes).subarray(starts[0], starts.at(-1));
  const ends = new Set([delimiter, rowEnd, "\n", "\r", '"', ""]);
  const isEnd = (at: number): boolean => ends.has(rows.toString("latin1", Math.max(at, 0), at + 1));
  for (let at = rows.indexOf(text); at >= 0; at = rows.indexOf(text, at + 1))
    if (isEnd(at - 1) && isEnd(at + text.length)) return true;
  return false;
}

function hasInData(data: unknown, text: string): boolean {
  try {
    return hasSerialized(serialize(data), text);
  } catch {
    // Threads can be sent more than V8 can write, such as keys and shared memory.
    return false;
  }
}

/** Searches for the text as V8 writes it: after its kind and the number of its bytes. */
function hasSerialized(bytes: Uint8Array, text: string): boolean {
  const spellings = [
    { kind: '"', encoding: "latin1" },
    // Cut from a text that has other characters, too.
    { kind: "c", encoding: "utf16le" },
  ] as const;
  return spellings.some(({ kind, encoding }) => {
    const written = Buffer.from(text, encoding);
    const head = Buffer.from([kind.charCodeAt(0), written.length]);
    return bufferOf(bytes).includes(Buffer.concat([head, written]));
  });
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
