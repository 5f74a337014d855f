import { deflateSync } from "node:zlib";

import { Int32Histogram } from "hdr-histogram-js";

/** One minute in microseconds: the range a histogram starts with; a larger value makes it grow. */
const initialHighestValue = 60_000_000;

/** Significant decimal digits that a histogram keeps: the relative error of a percentile is below 10^-digits. */
export type HistogramPrecision = 2 | 3;

/** The non-empty buckets of a histogram as [index, count, index, count, …]. */
export type HistogramBuckets = Uint32Array;

/**
 * Counts of non-negative integers in logarithmic buckets (HdrHistogram). Values are whole units chosen by the
 * caller (microseconds, for durations); both ends of a transfer must use the same precision.
 */
export class Histogram {
  readonly precision: HistogramPrecision;
  // Only its buckets are used: counting and extremes are kept by the owner, so a record costs one index and one increment.
  readonly #hdr: Int32Histogram;
  #lowestIndex = Number.MAX_SAFE_INTEGER;
  #highestIndex = -1;

  constructor(precision: HistogramPrecision) {
    this.precision = precision;
    this.#hdr = new Int32Histogram(1, initialHighestValue, precision);
  }

  /** `value` must be a non-negative safe integer: the caller guards the door. */
  record(value: number): void {
    const index = this.#hdr.countsArrayIndex(value);
    this.#reach(index, value);
    this.#hdr.incrementCountAtIndex(index);
  }

  #reach(index: number, value: number): void {
    if (index >= this.#hdr.countsArrayLength) this.#hdr.resize(value);
    if (index < this.#lowestIndex) this.#lowestIndex = index;
    if (index > this.#highestIndex) this.#highestIndex = index;
  }

  /** All that was recorded since the last drain; the histogram is empty afterwards. */
  drain(): HistogramBuckets {
    const buckets = this.buckets();
    this.#hdr.clearCounts();
    this.#lowestIndex = Number.MAX_SAFE_INTEGER;
    this.#highestIndex = -1;
    return buckets;
  }

  buckets(): HistogramBuckets {
    const pairs: number[] = [];
    for (let index = this.#lowestIndex; index <= this.#highestIndex; index++) {
      const count = this.#hdr.getCountAtIndex(index);
      if (count > 0) pairs.push(index, count);
    }
    return Uint32Array.from(pairs);
  }

  /** Buckets of another precision are counted at the value that they stand for. */
  add(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    for (const [value, count] of valuesOf(buckets, precision)) {
      const index = this.#hdr.countsArrayIndex(value);
      this.#reach(index, value);
      this.#hdr.addToCountAtIndex(index, count);
    }
  }

  /** Takes out what was added before. */
  subtract(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    for (const [value, count] of valuesOf(buckets, precision)) {
      this.#hdr.addToCountAtIndex(this.#hdr.countsArrayIndex(value), -count);
    }
  }

  /** The highest value equivalent to the `rank`-th smallest recorded one; ranks count from 1. */
  valueAtRank(rank: number): number {
    let seen = 0;
    for (let index = this.#lowestIndex; index <= this.#highestIndex; index++) {
      seen += this.#hdr.getCountAtIndex(index);
      if (seen >= rank) return this.#hdr.highestEquivalentValue(this.#hdr.valueFromIndex(index));
    }
    return 0;
  }

  /** HdrHistogram's compressed V2 encoding in base64, readable by the Java and C libraries. */
  encode(): string {
    return encodeCompressedV2(this.#hdr, this.#highestIndex);
  }
}

const scales: Readonly<Record<HistogramPrecision, Int32Histogram>> = {
  2: new Int32Histogram(1, 2, 2),
  3: new Int32Histogram(1, 2, 3),
};

function* valuesOf(
  buckets: HistogramBuckets,
  precision: HistogramPrecision,
): Iterable<[value: number, count: number]> {
  for (let position = 0; position < buckets.length; position += 2) {
    yield [scales[precision].valueFromIndex(buckets[position] ?? 0), buckets[position + 1] ?? 0];
  }
}

const cookieV2 = 0x1c849303 | 0x10;
const compressedCookieV2 = 0x1c849304 | 0x10;
const headerBytes = 40;

/** Written here because the library's own encoder writes a normalizing offset and a conversion ratio that other readers take at their word. */
function encodeCompressedV2(hdr: Int32Histogram, highestIndex: number): string {
  const payload = encodeCounts(hdr, highestIndex);
  const plain = Buffer.alloc(headerBytes + payload.length);
  plain.writeInt32BE(cookieV2, 0);
  plain.writeInt32BE(payload.length, 4);
  plain.writeInt32BE(0, 8); // normalizing index offset
  plain.writeInt32BE(hdr.numberOfSignificantValueDigits, 12);
  plain.writeBigInt64BE(BigInt(hdr.lowestDiscernibleValue), 16);
  plain.writeBigInt64BE(BigInt(hdr.highestTrackableValue), 24);
  plain.writeDoubleBE(1, 32); // integer-to-double conversion ratio
  plain.set(payload, headerBytes);
  const deflated = deflateSync(plain);
  const head = Buffer.alloc(8);
  head.writeInt32BE(compressedCookieV2, 0);
  head.writeInt32BE(deflated.length, 4);
  return Buffer.concat([head, deflated]).toString("base64");
}

function encodeCounts(hdr: Int32Histogram, highestIndex: number): number[] {
  const bytes: number[] = [];
  for (let index = 0; index <= highestIndex; index++) {
    const count = hdr.getCountAtIndex(index);
    if (count > 0) {
      pushZigZag(bytes, count);
      continue;
    }
    let zeros = 1;
    while (index < highestIndex && hdr.getCountAtIndex(index + 1) === 0) {
      zeros++;
      index++;
    }
    pushZigZag(bytes, -zeros);
  }
  return bytes;
}

/** ZigZag LEB128: seven bits a byte, least significant first. Counts stay below 2^48 here. */
function pushZigZag(bytes: number[], value: number): void {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
