import { longestBlock, type HpackEncoder } from "../../src/hpack/hpack-encoder.ts";

/** Returns the block that an encoder writes, in its own memory. */
export function encodeBlock(encoder: HpackEncoder, fields: readonly string[]): Buffer {
  const target = Buffer.alloc(longestBlock(fields));
  return target.subarray(0, encoder.encode(fields, target, 0));
}
