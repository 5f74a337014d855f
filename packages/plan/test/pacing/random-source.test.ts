import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { randomSource } from "../../src/pacing/random-source.ts";

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const streams = fc.nat(1_000_000);

function draw(seed: number, stream: number, count: number): number[] {
  const next = randomSource(seed, stream);
  return Array.from({ length: count }, next);
}

describe("a random source", () => {
  test("gives the same stream again for the same seed", () => {
    fc.assert(
      fc.property(seeds, streams, (seed, stream) => {
        expect(draw(seed, stream, 50)).toEqual(draw(seed, stream, 50));
      }),
    );
  });

  test.each([
    { seed: 4242, stream: 7, units: [1_199_907_076, 144_997_837, 3_709_073_064] },
    { seed: 2 ** 40 + 7, stream: -1, units: [2_356_724_831, 2_638_383_790, 4_050_551_112] },
  ])("gives the numbers of sfc32 for seed $seed, stream $stream, in every version", (row) => {
    expect(draw(row.seed, row.stream, 3).map((value) => value * 2 ** 32)).toEqual(row.units);
  });

  test("gives different streams for different seeds and stream numbers", () => {
    fc.assert(
      fc.property(seeds, streams, (seed, stream) => {
        expect(draw(seed, stream, 4)).not.toEqual(draw(seed, stream + 1, 4));
        expect(draw(seed, stream, 4)).not.toEqual(draw(seed === 0 ? 1 : seed - 1, stream, 4));
      }),
    );
  });

  test("distinguishes seeds that differ only beyond 32 bits", () => {
    expect(draw(1, 0, 4)).not.toEqual(draw(1 + 2 ** 32, 0, 4));
  });

  test("gives numbers from 0 up to but not including 1, evenly distributed", () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (const value of draw(4242, 7, 100_000)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      counts[Math.floor(value * 10)]! += 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  test("neighbouring streams start far apart", () => {
    const firsts = Array.from({ length: 10_000 }, (_, stream) => draw(4242, stream, 1)[0]!);
    const mean = firsts.reduce((sum, value) => sum + value, 0) / firsts.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
    expect(new Set(firsts).size).toBe(firsts.length);
  });
});
