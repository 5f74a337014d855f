import fc from "fast-check";
import { expect, test } from "vitest";

import { decodeHistogram } from "../src/histogram-encoding.ts";
import { Histogram } from "../src/histogram.ts";

const values = fc.array(fc.oneof(fc.nat(300), fc.nat(10 ** 9), fc.maxSafeNat()), { maxLength: 300 });

test("a histogram that was encoded is read back, bucket by bucket", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(2 as const, 3 as const), (recorded, precision) => {
      const histogram = new Histogram(precision);
      for (const value of recorded) histogram.record(value);
      const decoded = decodeHistogram(histogram.encode());
      expect(decoded).toEqual({ precision, buckets: histogram.buckets() });
    }),
  );
});

test("a text that is no histogram is refused, whatever it is, and also a histogram that was cut", () => {
  const histogram = new Histogram(3);
  for (let value = 0; value < 1000; value++) histogram.record(value * value);
  const encoded = Buffer.from(histogram.encode(), "base64");
  fc.assert(
    fc.property(fc.string(), fc.nat(encoded.length - 1), (text, length) => {
      expect(decodeHistogram(text)).toBeNull();
      expect(decodeHistogram(encoded.subarray(0, length).toString("base64"))).toBeNull();
    }),
  );
});
