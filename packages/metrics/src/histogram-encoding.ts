import { deflateSync, inflateSync } from "node:zlib";

import type { HistogramBuckets } from "./bucket-counts.ts";

/** Significant decimal digits that a histogram keeps: the relative error of a percentile is below 10^-digits. */
export type HistogramPrecision = 2 | 3;

const cookieV2 = 0x1c849303 | 0x10;
const compressedCookieV2 = 0x1c849304 | 0x10;
const headerBytes = 40;
/** Node accepts no smaller chunk. */
const minChunk = 64;

/**
 * Returns HdrHistogram's compressed V2 encoding in base64, which the Java and C libraries can read. Written
 * here because the JavaScript library's own encoder writes a normalizing offset and a conversion ratio that
 * other readers would apply.
 */
export function encodeHistogram(
  buckets: HistogramBuckets,
  precision: HistogramPrecision,
  highestTrackableValue: number,
): string {
  const plain = Buffer.alloc(headerBytes + buckets.length * mostNumberBytes);
  const end = writeCounts(plain, headerBytes, buckets);
  const header = new DataView(plain.buffer, plain.byteOffset, headerBytes);
  header.setInt32(0, cookieV2);
  header.setInt32(4, end - headerBytes);
  // The normalizing index offset, at 8, stays 0.
  header.setInt32(12, precision);
  header.setBigInt64(16, 1n); // lowest discernible value
  header.setBigInt64(24, BigInt(highestTrackableValue));
  header.setFloat64(32, 1); // integer-to-double conversion ratio
  // Room for the output: Node's default is 16 KiB, although each of thousands of histograms
  // takes some dozen bytes.
  const deflated = deflateSync(plain.subarray(0, end), { chunkSize: Math.max(minChunk, end) });
  const head = Buffer.alloc(8);
  head.writeInt32BE(compressedCookieV2, 0);
  head.writeInt32BE(deflated.length, 4);
  return Buffer.concat([head, deflated]).toString("base64");
}

/** The contents of an encoded histogram. */
export interface DecodedHistogram {
  readonly precision: HistogramPrecision;
  readonly buckets: HistogramBuckets;
}

/** Reads a text that {@link encodeHistogram} wrote; returns null for any other text. */
export function decodeHistogram(text: string): DecodedHistogram | null {
  const plain = inflate(Buffer.from(text, "base64"));
  if (plain === null || plain.length < headerBytes || plain.readInt32BE(0) !== cookieV2) return null;
  const precision = plain.readInt32BE(12);
  if (precision !== 2 && precision !== 3) return null;
  const payload = plain.subarray(headerBytes);
  const buckets = payload.length === plain.readInt32BE(4) ? decodeCounts(payload) : null;
  return buckets && { precision, buckets };
}

/** Even a histogram of the widest range has fewer bytes. */
const maxBytes = 2 ** 24;

function inflate(bytes: Buffer): Buffer | null {
  const isEncoded = bytes.length >= 8 && bytes.readInt32BE(0) === compressedCookieV2;
  if (!isEncoded || bytes.readInt32BE(4) !== bytes.length - 8) return null;
  try {
    return inflateSync(bytes.subarray(8), { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

/**
 * Reads buckets from counts in the order of their index; null if the bytes end within a number, or leave
 * the range of buckets.
 */
function decodeCounts(bytes: Uint8Array): HistogramBuckets | null {
  const found: number[] = [];
  let index = 0;
  for (let at = 0; at < bytes.length;) {
    let [value, factor, byte] = [0, 1, 0x80];
    while (byte >= 0x80) {
      byte = bytes[at++] ?? -1;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    }
    if (byte < 0 || index >= maxBytes) return null;
    if (value % 2 === 1) index += (value + 1) / 2;
    else if (value > 0) found.push(index++, value / 2);
    else index++;
  }
  return Uint32Array.from(found);
}

/**
 * Writes counts in the order of their index, and returns the end; a negative number stands for as many empty
 * buckets in a row.
 */
function writeCounts(bytes: Buffer, start: number, buckets: HistogramBuckets): number {
  let [end, next] = [start, 0];
  for (let at = 0; at < buckets.length; at += 2) {
    const index = buckets[at] ?? 0;
    if (index > next) end = writeZigZag(bytes, end, next - index);
    end = writeZigZag(bytes, end, buckets[at + 1] ?? 0);
    next = index + 1;
  }
  return end;
}

/** The most bytes of a number of 32 bits. */
const mostNumberBytes = 5;

/**
 * Writes a number as ZigZag LEB128, seven bits a byte, least significant first, and returns the end.
 */
function writeZigZag(bytes: Buffer, start: number, value: number): number {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  let end = start;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest % 0x80) | 0x80;
  bytes[end++] = rest;
  return end;
}
