import { codeLengths, codes } from "./huffman-code.ts";

/** The bytes that a text takes when it is Huffman-encoded. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let position = 0; position < text.length; position++) {
    bits += codeLengths[text.charCodeAt(position) & 0xff] ?? 0;
  }
  return (bits + 7) >> 3;
}

/** Writes a text, Huffman-encoded, and returns the position behind it. */
export function encodeHuffman(text: string, target: Uint8Array, start: number): number {
  let end = start;
  /** Bits that do not fill a byte yet: up to 7 of them, and bits above that have been written. */
  let pending = 0;
  let pendingBits = 0;
  for (let position = 0; position < text.length; position++) {
    const symbol = text.charCodeAt(position) & 0xff;
    const code = codes[symbol] ?? 0;
    let bits = codeLengths[symbol] ?? 0;
    // 7 + 30 bits do not fit in 32: a long code goes in two parts.
    if (bits > 16) {
      bits -= 16;
      pending = (pending << bits) | (code >>> 16);
      pendingBits += bits;
      while (pendingBits >= 8) target[end++] = pending >>> (pendingBits -= 8);
      bits = 16;
    }
    pending = (pending << bits) | (code & 0xffff);
    pendingBits += bits;
    while (pendingBits >= 8) target[end++] = pending >>> (pendingBits -= 8);
  }
  // The rest of the last byte begins EOS: all ones.
  if (pendingBits > 0) target[end++] = (pending << (8 - pendingBits)) | (0xff >> pendingBits);
  return end;
}
