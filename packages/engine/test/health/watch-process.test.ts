import { expect, test } from "vitest";

import { readMachineLimits } from "../../src/health/machine-limits.ts";
import { watchProcess, type ConnectionCounts } from "../../src/health/watch-process.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

test("a watch reports peaks and the times of stalls, and leaves no timer when it ends", async () => {
  const clock = new FakeClock(10_000);
  const warnings: string[] = [];
  let counts: ConnectionCounts = { peakConnections: 0, receivedBytes: 0, sentBytes: 0 };
  const { read, end } = watchProcess({
    clock,
    limits: readMachineLimits(),
    linkBitsPerSecond: 1e6,
    countConnections: () => counts,
    onWarning: (text) => warnings.push(text),
  });
  await clock.runTo(10_600);
  counts = { peakConnections: 9, receivedBytes: 50_000, sentBytes: 10 };
  await clock.runTo(12_020);
  clock.jump(1430);
  await clock.runTo(14_000);
  expect(read({ measuredFromMs: 10_020, waitedMs: 0 })).toMatchObject({
    stalls: [{ atMs: 1980, durationMs: 1400 }],
    peakConnections: 9,
  });
  const used = end({ measuredFromMs: 10_020, waitedMs: 0 });
  expect(used.stalls).toEqual([{ atMs: 1980, durationMs: 1400 }]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("paused for 1.4 s at 2.0 s");
  expect(used).toMatchObject({ peakConnections: 9, peakReceivedBytesPerSecond: 50_000 });
  expect(used.link).toMatchObject({ name: null, bitsPerSecond: 1e6 });
  expect(used.limits.cores).toBeGreaterThan(0);
  expect(clock.armed).toBe(0);
});

test("stalls of a warm-up are not reported", async () => {
  const clock = new FakeClock();
  const { end } = watchProcess({
    clock,
    limits: readMachineLimits(),
    linkBitsPerSecond: null,
    countConnections: () => ({ peakConnections: 0, receivedBytes: 0, sentBytes: 0 }),
    onWarning: () => {},
  });
  await clock.runTo(1000);
  clock.jump(2000);
  await clock.runTo(9000);
  expect(end({ measuredFromMs: 5000, waitedMs: 0 })).toMatchObject({ stalls: [], link: null });
});
