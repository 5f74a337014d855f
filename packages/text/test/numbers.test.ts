import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatBytes } from "../src/bytes.ts";
import { formatDuration, formatMilliseconds, formatPlanned } from "../src/duration.ts";
import { formatCount, formatNumber, formatRate, toSignificant } from "../src/number.ts";
import { formatPercent } from "../src/percent.ts";

/** Thin spaces read badly in a table of expectations. */
const plain = (text: string) => text.replaceAll("\u202f", " ");

describe("durations", () => {
  test.each([
    [0, "0 ms"],
    [0.0004, "0.400 µs"],
    [0.83, "830 µs"],
    [0.9996, "1.00 ms"],
    [1.2412, "1.24 ms"],
    [9.996, "10.0 ms"],
    [99.96, "100 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [12_440, "12.4 s"],
    [59_940, "59.9 s"],
    [59_960, "1 m 0 s"],
    [90_012.4, "1 m 30 s"],
    [119_700, "2 m 0 s"],
    [3_599_900, "1 h 0 m 0 s"],
    [7_505_000, "2 h 5 m 5 s"],
    [-1.5, "-1.50 ms"],
  ])("%d ms is %s", (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  test.each([
    [500, "500 ms"],
    [1_500, "1.5 s"],
    [10_000, "10 s"],
    [90_000, "1 m 30 s"],
  ])("%d ms planned is %s", (ms, expected) => {
    expect(formatPlanned(ms)).toBe(expected);
  });

  test.each([
    [0, "0"],
    [0.0834, "0.083"],
    [0.12345, "0.123"],
    [1.1, "1.10"],
    [15.23, "15.2"],
    [412.4, "412"],
    [1240.2, "1240"],
    [60_000, "60 000"],
  ])("%d in a column of ms is %s", (ms, expected) => {
    expect(plain(formatMilliseconds(ms))).toBe(expected);
  });
});

describe("percentages", () => {
  test.each([
    [0, "0 %"],
    [1, "100 %"],
    [0.0042, "0.42 %"],
    [0.125, "12.50 %"],
    [0.00004, "0.004 %"],
    [0.99996, "99.996 %"],
    [0.0000001, "<0.0001 %"],
    [0.9999999, ">99.9999 %"],
  ])("%d is %s", (share, expected) => {
    expect(formatPercent(share)).toBe(expected);
  });

  test("only a share of exactly 0 is 0 %, and only one of exactly 1 is 100 %", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.nat(), (total, some) => {
        const passes = some % (total + 1);
        const shown = formatPercent(passes / total);
        expect(shown === "0 %").toBe(passes === 0);
        expect(shown === "100 %").toBe(passes === total);
        expect(/^(0|100)(\.0+)? %$/.test(shown) && passes % total !== 0).toBe(false);
      }),
    );
  });
});

describe("counts, rates and bytes", () => {
  test("every digit of a count is shown", () => {
    fc.assert(
      fc.property(fc.nat(), (count) => {
        expect(formatCount(count).replaceAll("\u202f", "")).toBe(String(count));
      }),
    );
    expect([1240, 16_048, 1_234_567].map((count) => plain(formatCount(count)))).toEqual([
      "1240",
      "16 048",
      "1 234 567",
    ]);
  });

  test.each([
    [0, "0/s"],
    [0.42, "0.420/s"],
    [178.3, "178/s"],
    [54_321.9, "54 322/s"],
  ])("%d a second is %s", (rate, expected) => {
    expect(plain(formatRate(rate))).toBe(expected);
  });

  test.each([
    [5, "5"],
    [2.98, "2.98"],
    [123_456.789, "123 457"],
    [-0.00012, "-0.000120"],
  ])("%d is %s", (value, expected) => {
    expect(plain(formatNumber(value))).toBe(expected);
  });

  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.00 kB"],
    [51_234, "51.2 kB"],
    [999_600, "1.00 MB"],
    [1.24e9, "1.24 GB"],
    [5e18, "5000 PB"],
  ])("%d bytes are %s", (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });
});

test("significant digits stay within half a unit of the last, and never in exponents", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
      fc.integer({ min: 1, max: 6 }),
      (value, digits) => {
        const shown = toSignificant(value, digits);
        expect(shown).toMatch(/^\d+(\.\d+)?$/);
        expect(Math.abs(Number(shown) - value)).toBeLessThanOrEqual(0.5000001 * 10 ** (1 - digits) * value);
      },
    ),
  );
});
