import { describe, expect, test } from "vitest";

import { openSpan, VuTime } from "../../src/worker/vu-time.ts";

const open = openSpan();

function lostMs(stretches: readonly (readonly [fromMs: number, untilMs: number])[]): number {
  const time = new VuTime(open);
  time.spend(0, 100_000);
  for (const [from, until] of stretches) time.lose(from, until);
  return (time.take()?.lostUs ?? 0) / 1000;
}

describe("the lost time of a VU", () => {
  test("is that of its requests, counted once where they overlap", () => {
    expect(lostMs([])).toBe(0);
    expect(lostMs([[10, 30]])).toBe(20);
    expect(
      lostMs([
        [10, 30],
        [40, 50],
      ]),
    ).toBe(30);
    expect(
      lostMs([
        [10, 30],
        [20, 45],
        [20, 45],
      ]),
    ).toBe(35);
    expect(
      lostMs([
        [20, 30],
        [10, 40],
      ]),
    ).toBe(30);
  });

  test("counts only until the load ends", () => {
    const time = new VuTime({ ...open, endMs: 50 });
    time.spend(0, 80);
    time.lose(40, 80);
    time.lose(60, 90);
    expect(time.take()).toEqual({ totalUs: 50_000, lostUs: 10_000 });
  });

  test("counts only from the end of a warm-up", () => {
    const time = new VuTime({ ...open, beginMs: 30 });
    time.spend(0, 20);
    time.lose(5, 20);
    expect(time.take()).toBeNull();
    time.spend(20, 80);
    time.lose(20, 40);
    time.lose(35, 50);
    expect(time.take()).toEqual({ totalUs: 50_000, lostUs: 20_000 });
  });

  test("leaves out the first 1.2 s of back-off, as after a restart; the rest counts, also in several parts", () => {
    const time = new VuTime(open);
    time.backOff(0, 1000);
    expect(time.take()).toEqual({ totalUs: 1_000_000, lostUs: 0 });
    time.backOff(2000, 2500);
    time.backOff(3000, 4000);
    expect(time.take()).toEqual({ totalUs: 1_500_000, lostUs: 1_300_000 });
  });

  test("is reset when it is taken", () => {
    const time = new VuTime(open);
    expect(time.take()).toBeNull();
    time.spend(0, 0.25);
    expect(time.take()).toEqual({ totalUs: 250, lostUs: 0 });
    expect(time.take()).toBeNull();
  });
});
