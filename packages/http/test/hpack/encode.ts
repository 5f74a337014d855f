import { longestBlock, type HpackEncoder } from "../../src/hpack/hpack-encoder.ts";

/** The block that an encoder writes, with memory of its own. */
export function encodeBlock(encoder: HpackEncoder, fields: readonly string[]): Buffer {
  const target = Buffer.alloc(longestBlock(fields));
  return target.subarray(0, encoder.encode(fields, target, 0));
}
