import { describe, expect, test } from "vitest";

import { nextCheckMs, shareOfLimit, watchLimit } from "../../src/run/watch-limit.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

const bound = 1_000_000;

/**
 * Returns the bytes received when the watch called back, and how often it looked. `receivedAt` gives the
 * bytes by time.
 */
async function watch(
  receivedAt: (atMs: number) => number,
  untilMs: number,
): Promise<{ reached: number[]; looks: number; armed: number }> {
  const clock = new FakeClock();
  const reached: number[] = [];
  let looks = 0;
  const count = (): number => {
    looks++;
    return receivedAt(clock.now());
  };
  watchLimit(clock, count, bound, () => reached.push(receivedAt(clock.now())));
  await clock.runTo(untilMs);
  return { reached, looks, armed: clock.armed };
}

describe("a watch on received bytes", () => {
  test.each([1, 50, 1000, 20_000, 100_000])("at %i bytes a millisecond calls back in time", async (rate) => {
    const { reached, armed } = await watch((atMs) => rate * atMs, (bound / rate) * 2 + 100);
    expect(reached).toHaveLength(1);
    expect(reached[0]).toBeGreaterThanOrEqual(bound);
    expect(reached[0]).toBeLessThanOrEqual(bound + rate * 2);
    expect(armed).toBe(0);
  });

  test("after a slow beginning calls back within its longest interval", async () => {
    const rate = 10_000;
    const { reached } = await watch((atMs) => (atMs < 5000 ? 0 : (atMs - 5000) * rate), 6000);
    expect(reached[0]).toBeGreaterThanOrEqual(bound);
    expect(reached[0]).toBeLessThanOrEqual(bound + rate * 50);
  });

  test("remembers the rate of a burst when the next one comes", async () => {
    // 300 kB in the last 30 ms of each tenth of a second: the fourth burst reaches the amount 10 ms after it began.
    const perMs = 10_000;
    const bursts = (atMs: number): number =>
      (Math.floor(atMs / 100) * 30 + Math.max(0, (atMs % 100) - 70)) * perMs;
    const { reached } = await watch(bursts, 2000);
    expect(reached[0]).toBeGreaterThanOrEqual(bound);
    // A watch that looked every 50 ms, as if no data arrived, would allow the rest of the burst: 200 kB.
    expect(reached[0]).toBeLessThanOrEqual(bound + 5 * perMs);
  });

  test("looks rarely while the amount is far away", async () => {
    const { reached, looks } = await watch((atMs) => atMs, 10_000);
    expect(reached).toEqual([]);
    expect(looks).toBeLessThan(10_000 / 50 + 50);
  });

  test("ends when it is stopped, and never starts without an amount", async () => {
    const clock = new FakeClock();
    const onReached = (): void => expect.unreachable();
    watchLimit(clock, () => 0, bound, onReached)();
    watchLimit(clock, () => 1e12, null, onReached);
    expect(clock.armed).toBe(0);
    await clock.runTo(1000);
  });
});

test.each([
  [bound, 0, 50],
  [bound, 1, 50],
  [40_000, 1000, 10],
  [4000, 1000, 2],
  [0, 1000, 2],
])("%i bytes to go at %i a millisecond: looks in %i ms", (remaining, rate, ms) => {
  expect(nextCheckMs(remaining, rate)).toBe(ms);
});

test("each shard has an equal part of the data limit", () => {
  const shard = { index: 2, count: 48 };
  expect(shareOfLimit(9600, shard)).toBe(200);
  expect(shareOfLimit(9600, null)).toBe(9600);
  expect(shareOfLimit(null, shard)).toBeNull();
});
