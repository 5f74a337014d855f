import { inflateSync } from "node:zlib";

/** A histogram of a result document: how many samples lie in each of HdrHistogram's buckets. */
export interface CompactHistogram {
  /** Significant decimal digits that its buckets keep. */
  readonly digits: number;
  /** Counts by the bucket's index, without empty ones. */
  readonly counts: ReadonlyMap<number, number>;
}

const compressedCookie = 0x1c849304;
const cookie = 0x1c849303;
/** The low bits of the high nibble say how long a word is; they do not matter here. */
const cookieMask = ~0xf0;
const headerBytes = 40;
/** Far more than the largest histogram takes, so that a forged one cannot fill the memory. */
const mostBytes = 16 * 2 ** 20;

/** Reads HdrHistogram's compressed V2 encoding in base64, of unit 1; undefined for anything else. */
export function decodeHistogram(text: string): CompactHistogram | undefined {
  try {
    const outer = Buffer.from(text, "base64");
    if ((outer.readInt32BE(0) & cookieMask) !== compressedCookie) return undefined;
    const plain = inflateSync(outer.subarray(8), { maxOutputLength: mostBytes });
    if ((plain.readInt32BE(0) & cookieMask) !== cookie) return undefined;
    const counts = readCounts(plain.subarray(headerBytes, headerBytes + plain.readInt32BE(4)));
    return { digits: plain.readInt32BE(12), counts };
  } catch {
    return undefined; // A document may hold any text here.
  }
}

/** ZigZag LEB128 numbers: a count for the next bucket or, below zero, how many empty ones to skip. */
function readCounts(payload: Buffer): Map<number, number> {
  const counts = new Map<number, number>();
  let index = 0;
  for (let offset = 0; offset < payload.length;) {
    let raw = 0;
    for (let scale = 1, more = true; more; scale *= 128) {
      const byte = payload.readUInt8(offset);
      offset += 1;
      raw += (byte & 0x7f) * scale;
      more = byte > 0x7f;
    }
    if (raw % 2 === 0) {
      if (raw > 0) counts.set(index, raw / 2);
      index += 1;
    } else index += (raw + 1) / 2;
  }
  return counts;
}

/** All of them together; undefined where their buckets differ, or there are none. */
export function mergeHistograms(histograms: readonly CompactHistogram[]): CompactHistogram | undefined {
  const [first] = histograms;
  if (!first || histograms.some(({ digits }) => digits !== first.digits)) return undefined;
  const counts = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [index, count] of histogram.counts) counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return { digits: first.digits, counts };
}

/** The highest value of the bucket in which the nearest-rank percentile lies; 0 for an empty histogram. */
export function valueAtPercentile({ digits, counts }: CompactHistogram, percentile: number): number {
  const ordered = [...counts].sort(([left], [right]) => left - right);
  const total = ordered.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil((percentile / 100) * total - Number.EPSILON * total));
  let seen = 0;
  for (const [index, count] of ordered) {
    seen += count;
    if (seen >= rank) return highestInBucket(index, digits);
  }
  return 0;
}

/** HdrHistogram's own arithmetic: halves of buckets twice as wide as those before. */
function highestInBucket(index: number, digits: number): number {
  const halfCount = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  const bucket = Math.max(0, Math.floor(index / halfCount) - 1);
  const subBucket = index < halfCount ? index : (index % halfCount) + halfCount;
  return (subBucket + 1) * 2 ** bucket - 1;
}
