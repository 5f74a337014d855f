import type { SharedBytes } from "../../src/protocol/shared-feeds.ts";

/** Returns a text as the bytes of a feed's file. */
export function sharedText(text: string): SharedBytes {
  const bytes = Buffer.from(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
