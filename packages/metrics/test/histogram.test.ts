import { inflateSync } from "node:zlib";

import fc from "fast-check";
import { decodeFromCompressedBase64, Int32Histogram } from "hdr-histogram-js";
import { describe, expect, test } from "vitest";

import { Histogram, type HistogramPrecision } from "../src/histogram.ts";

const precisions = fc.constantFrom<HistogramPrecision>(2, 3);
const microseconds = fc.oneof(
  fc.nat(3000),
  fc.nat(10_000_000),
  fc.nat(2 ** 31 - 1),
  fc.integer({ min: 0, max: 2 ** 50 }),
);
const samples = fc.array(microseconds, { minLength: 1, maxLength: 300 });

function histogramOf(values: readonly number[], precision: HistogramPrecision): Histogram {
  const histogram = new Histogram(precision);
  for (const value of values) histogram.record(value);
  return histogram;
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((left, right) => left - right);
}

/** Decodes a histogram, and returns its counts by value. */
function countsOf(encoded: string): Map<number, number> {
  const decoded = decodeFromCompressedBase64(encoded, 32);
  const counts = new Map<number, number>();
  if (!(decoded instanceof Int32Histogram)) throw new TypeError("decoded to something else");
  for (let index = 0; index < decoded.countsArrayLength; index++) {
    const count = decoded.getCountAtIndex(index);
    if (count > 0) counts.set(decoded.valueFromIndex(index), count);
  }
  return counts;
}

describe("a histogram", () => {
  test("finds the value at each rank within its precision", () => {
    fc.assert(
      fc.property(samples, precisions, (values, precision) => {
        const histogram = histogramOf(values, precision);
        for (const [index, exact] of ascending(values).entries()) {
          const found = histogram.valueAtRank(index + 1);
          expect(found).toBeGreaterThanOrEqual(exact);
          expect(found - exact).toBeLessThanOrEqual(exact * 10 ** -precision);
        }
      }),
    );
  });

  test("is the same whether values are recorded in one or merged from many", () => {
    fc.assert(
      fc.property(fc.array(samples, { maxLength: 6 }), precisions, (parts, precision) => {
        const merged = new Histogram(precision);
        for (const part of parts) merged.add(histogramOf(part, precision).buckets());
        expect(merged.buckets()).toEqual(histogramOf(parts.flat(), precision).buckets());
      }),
    );
  });

  test("is empty after a drain, and another histogram can take all that was drained", () => {
    fc.assert(
      fc.property(samples, samples, precisions, (before, after, precision) => {
        const drained = histogramOf(before, precision);
        const other = new Histogram(precision);
        other.add(structuredClone(drained.drain()));
        expect(drained.buckets()).toEqual(new Uint32Array(0));
        for (const value of after) drained.record(value);
        other.add(drained.drain());
        expect(other.buckets()).toEqual(histogramOf([...before, ...after], precision).buckets());
      }),
    );
  });

  test("of two digits, merged from one of three, is what two digits would have recorded", () => {
    fc.assert(
      fc.property(samples, (values) => {
        const coarse = new Histogram(2);
        coarse.add(histogramOf(values, 3).buckets(), 3);
        expect(coarse.buckets()).toEqual(histogramOf(values, 2).buckets());
      }),
    );
  });

  test("grows for values beyond a minute without losing the ones below", () => {
    const histogram = histogramOf([5, 59_000_000, 3_600_000_000, 7], 3);
    expect(histogram.valueAtRank(1)).toBe(5);
    expect(histogram.valueAtRank(2)).toBe(7);
    expect(histogram.valueAtRank(4)).toBeGreaterThanOrEqual(3_600_000_000);
    expect([...histogram.buckets()].filter((_, index) => index % 2 === 1)).toEqual([1, 1, 1, 1]);
  });

  test("counts each value in the bucket that HdrHistogram counts it in", () => {
    const edges = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: -2, max: 2 }))
      .map(([power, offset]) => Math.max(0, 2 ** power + offset));
    fc.assert(
      fc.property(fc.oneof(microseconds, edges), precisions, (value, precision) => {
        const index = new Int32Histogram(1, 2, precision).countsArrayIndex(value);
        expect(histogramOf([value], precision).buckets()).toEqual(Uint32Array.of(index, 1));
      }),
      { numRuns: 500 },
    );
  });

  test("counts the same, however many samples come between two drains", () => {
    const few = fc.array(fc.nat(5000), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(few, fc.integer({ min: 500, max: 1100 }), precisions, (values, records, precision) => {
        const histogram = new Histogram(precision);
        const once = histogramOf(values, precision).buckets();
        for (let drains = 0; drains < 2; drains++) {
          for (let record = 0; record < records; record++)
            for (const value of values) histogram.record(value);
          const scaled = once.map((pair, at) => (at % 2 === 0 ? pair : pair * records));
          expect(histogram.drain()).toEqual(scaled);
        }
      }),
      { numRuns: 10 },
    );
  });

  test("has the value 0 at a rank while it is empty", () => {
    expect(new Histogram(3).valueAtRank(1)).toBe(0);
    expect(new Histogram(3).buckets()).toEqual(new Uint32Array(0));
  });
});

describe("the memory of histograms", () => {
  test("is small for thousands of histograms with few samples each", () => {
    const before = process.memoryUsage();
    const histograms = Array.from({ length: 5000 }, (_, number) =>
      histogramOf(
        Array.from({ length: 10 }, (__, sample) => 100 + number + sample * 1000),
        3,
      ),
    );
    const after = process.memoryUsage();
    const takenBytes = after.arrayBuffers - before.arrayBuffers + (after.heapUsed - before.heapUsed);
    expect(histograms.every((histogram) => histogram.valueAtRank(10) >= 9100)).toBe(true);
    expect(takenBytes).toBeLessThan(20_000_000);
  });

  test("does not affect the counts of many different values, then a drain, then few values", () => {
    const values = fc.uniqueArray(fc.nat(10_000_000), { minLength: 1500, maxLength: 2000, size: "max" });
    fc.assert(
      fc.property(values, samples, (many, few) => {
        const histogram = histogramOf(many, 3);
        const sorted = ascending(many);
        for (const rank of [1, 700, sorted.length]) {
          const found = histogram.valueAtRank(rank);
          expect(found).toBeGreaterThanOrEqual(sorted[rank - 1]!);
          expect(found - sorted[rank - 1]!).toBeLessThanOrEqual(sorted[rank - 1]! / 1000);
        }
        const merged = new Histogram(3);
        merged.add(histogram.drain());
        for (const value of few) histogram.record(value);
        expect(histogram.buckets()).toEqual(histogramOf(few, 3).buckets());
        merged.add(histogram.drain());
        histogram.add(histogramOf(few, 3).buckets());
        expect(histogram.buckets()).toEqual(histogramOf(few, 3).buckets());
        expect(merged.buckets()).toEqual(histogramOf([...many, ...few], 3).buckets());
        merged.subtract(histogramOf(few, 3).buckets());
        expect(merged.buckets()).toEqual(histogramOf(many, 3).buckets());
      }),
      { numRuns: 20 },
    );
  });
});

describe("an encoded histogram", () => {
  test("is decoded by hdr-histogram-js with the same counts", () => {
    fc.assert(
      fc.property(samples, precisions, (values, precision) => {
        const counts = countsOf(histogramOf(values, precision).encode());
        const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
        expect(total).toBe(values.length);
        const own = new Histogram(precision);
        for (const [value, count] of counts) for (let n = 0; n < count; n++) own.record(value);
        expect(own.buckets()).toEqual(histogramOf(values, precision).buckets());
      }),
      { numRuns: 40 },
    );
  });

  test("is decoded with large counts and long gaps", () => {
    const histogram = new Histogram(3);
    histogram.add(Uint32Array.of(0, 2_000_000_000, 1, 63, 2, 64, 17_000, 1_000_000));
    const counts = [...countsOf(histogram.encode()).values()];
    expect(counts).toEqual([2_000_000_000, 63, 64, 1_000_000]);
  });

  test.each<HistogramPrecision>([2, 3])(
    "of %i digits has the header that Java and C readers expect",
    (precision) => {
      const compressed = Buffer.from(histogramOf([0, 1, 1000, 90_000_000], precision).encode(), "base64");
      expect(compressed.readInt32BE(0)).toBe(0x1c849314);
      expect(compressed.readInt32BE(4)).toBe(compressed.length - 8);
      const plain = inflateSync(compressed.subarray(8));
      expect(plain.readInt32BE(0)).toBe(0x1c849313);
      expect(plain.readInt32BE(4)).toBe(plain.length - 40);
      expect(plain.readInt32BE(8), "normalizing index offset").toBe(0);
      expect(plain.readInt32BE(12), "significant digits").toBe(precision);
      expect(plain.readBigInt64BE(16), "lowest discernible value").toBe(1n);
      expect(plain.readBigInt64BE(24), "highest trackable value").toBeGreaterThanOrEqual(90_000_000n);
      expect(plain.readDoubleBE(32), "conversion ratio").toBe(1);
    },
  );

  test("without samples is decoded as empty", () => {
    expect(countsOf(new Histogram(2).encode()).size).toBe(0);
  });
});
