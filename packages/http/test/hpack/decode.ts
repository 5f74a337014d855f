import { HpackDecoder } from "../../src/hpack/hpack-decoder.ts";

/** Parses bytes as RFC 7541 prints them. */
export function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(/\s/g, ""), "hex");
}

/** Makes a decoder that returns names and values in turn. */
export function fieldDecoder(
  options: { tableBytes?: number; maxListBytes?: number; maxFields?: number } = {},
): HpackDecoder<readonly string[]> {
  return new HpackDecoder({
    maxListBytes: 65_536,
    maxFields: 1000,
    ...options,
    interpret: (fields) => fields,
  });
}

/** Decodes one block on a new connection. */
export function decodeBlock(block: Buffer): readonly string[] | null {
  return fieldDecoder().decode(block, 0, block.length);
}
