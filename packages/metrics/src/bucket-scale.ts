import type { HistogramPrecision } from "./histogram-encoding.ts";

/*
 * The buckets of HdrHistogram (Gil Tene, hdrhistogram.org) for whole numbers from 0 on, by their index: up to
 * 2^(m+1), each number has a bucket; after that, each doubling has 2^m buckets of equal width. m follows from
 * the digits that a histogram keeps. Computed by integers: the JavaScript library uses logarithms and powers.
 */

/** 2^m is the least power of two from 10^digits on. */
const magnitudes: Readonly<Record<HistogramPrecision, number>> = { 2: 7, 3: 10 };

/** The largest number whose index is computed by integers of 32 bits: 35 minutes, in microseconds. */
const largestInteger = 2 ** 31 - 1;

/** Returns m for the digits that a histogram keeps. */
export function magnitudeOf(precision: HistogramPrecision): number {
  return magnitudes[precision];
}

/** Returns the index of the bucket of a whole number from 0 to 2^53. */
export function indexOfValue(value: number, magnitude: number): number {
  if (value <= largestInteger) {
    const octave = Math.max(0, 31 - Math.clz32(value) - magnitude);
    return (octave << magnitude) + (value >>> octave);
  }
  const bits = 63 - Math.clz32(Math.floor(value / 2 ** 31));
  const octave = bits - 1 - magnitude;
  return (octave << magnitude) + Math.floor(value / 2 ** octave);
}

/** Returns the number of whole numbers that share the bucket with this index. */
export function widthOfBucket(index: number, magnitude: number): number {
  return 2 ** octaveOf(index, magnitude);
}

/** Returns the least number in the bucket with this index. */
export function lowestOfBucket(index: number, magnitude: number): number {
  const octave = octaveOf(index, magnitude);
  return (index - (octave << magnitude)) * 2 ** octave;
}

/** Returns the greatest number in the bucket with this index. */
export function highestOfBucket(index: number, magnitude: number): number {
  return lowestOfBucket(index, magnitude) + widthOfBucket(index, magnitude) - 1;
}

function octaveOf(index: number, magnitude: number): number {
  return Math.max(0, (index >>> magnitude) - 1);
}
