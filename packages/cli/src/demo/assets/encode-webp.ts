import type { Raster } from "./raster.ts";

const greenAlphabet = 256 + 24;
const byteAlphabet = 256;
const codeLengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/**
 * A lossless WebP (RFC 9649, section 3) in its plainest form: no transforms, and prefix codes in which
 * every byte is 8 bits long, so that a pixel takes 24 bits. Small pictures only.
 */
export function encodeWebp({ width, height, colorAt }: Raster): Buffer {
  const bits = new BitWriter();
  bits.write(0x2f, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(0, 1 + 3 + 1 + 1 + 1); // no alpha, version 0, no transform, no colour cache, no meta prefix codes
  writeByteCode(bits, greenAlphabet);
  writeByteCode(bits, byteAlphabet);
  writeByteCode(bits, byteAlphabet);
  writeConstantCode(bits, 255);
  writeConstantCode(bits, 0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = colorAt(x, y);
      for (const value of [green, red, blue]) bits.write(reverseByte(value), 8);
    }
  }
  return wrapInRiff(bits.bytes());
}

/** A code in which the symbols 0 to 255 are 8 bits long and all others unused. */
function writeByteCode(bits: BitWriter, alphabetSize: number): void {
  const symbolsUsed = [0, 8]; // the only code lengths; one bit each
  const listed = codeLengthOrder.indexOf(8) + 1;
  bits.write(0, 1);
  bits.write(listed - 4, 4);
  for (const length of codeLengthOrder.slice(0, listed)) bits.write(symbolsUsed.includes(length) ? 1 : 0, 3);
  bits.write(0, 1);
  for (let symbol = 0; symbol < alphabetSize; symbol += 1) bits.write(symbol < 256 ? 1 : 0, 1);
}

/** A code of one symbol, which then takes no bits. */
function writeConstantCode(bits: BitWriter, symbol: number): void {
  bits.write(1, 1);
  bits.write(0, 1);
  bits.write(1, 1);
  bits.write(symbol, 8);
}

/** Prefix codes go out from their most significant bit, everything else from its least. */
function reverseByte(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) reversed |= ((value >> bit) & 1) << (7 - bit);
  return reversed;
}

class BitWriter {
  readonly #bytes: number[] = [];
  #pending = 0;
  #pendingBits = 0;

  write(value: number, count: number): void {
    this.#pending |= value << this.#pendingBits;
    this.#pendingBits += count;
    while (this.#pendingBits >= 8) {
      this.#bytes.push(this.#pending & 0xff);
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  bytes(): Buffer {
    return Buffer.from(this.#pendingBits > 0 ? [...this.#bytes, this.#pending & 0xff] : this.#bytes);
  }
}

function wrapInRiff(data: Buffer): Buffer {
  const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
  const header = Buffer.alloc(20);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(12 + padded.length, 4);
  header.write("WEBPVP8L", 8, "latin1");
  header.writeUInt32LE(data.length, 16);
  return Buffer.concat([header, padded]);
}
