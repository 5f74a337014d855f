import { expect, test } from "vitest";

import { peakLoad } from "../../src/pacing/load-over-time.ts";

test("the highest load of a span is found inside ramps, at jumps and in short peaks, and is 0 outside", () => {
  const points = [
    { atMs: 1000, load: 0 },
    { atMs: 2000, load: 10 },
    { atMs: 2000, load: 50 },
    { atMs: 2001, load: 50 },
    { atMs: 2001, load: 2 },
    { atMs: 3000, load: 2 },
  ];
  expect(peakLoad(points, 0, 1000)).toBe(0);
  expect(peakLoad(points, 0, 1500)).toBe(5);
  expect(peakLoad(points, 1500, 2000)).toBe(10);
  expect(peakLoad(points, 1000, 3000)).toBe(50);
  expect(peakLoad(points, 2500, 9000)).toBe(2);
  expect(peakLoad(points, 3000, 9000)).toBe(0);
});
