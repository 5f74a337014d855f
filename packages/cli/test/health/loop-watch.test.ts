import { setTimeout as wait } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { LoopWatch } from "../../src/health/loop-watch.ts";

function startWatch(): LoopWatch {
  const watch = new LoopWatch();
  watch.begin();
  onTestFinished(() => {
    watch.stop();
  });
  return watch;
}

function blockFor(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}

test("a blocked thread was busy, and its timers late by as long", async () => {
  const watch = startWatch();
  await wait(30);
  blockFor(200);
  await wait(30);
  const { utilization, loopDelayP99Ms } = watch.sample();
  expect(utilization).toBeGreaterThan(0.3);
  expect(utilization).toBeLessThanOrEqual(1);
  expect(loopDelayP99Ms).toBeGreaterThan(100);
});

test("time in which the pacer only waited is not work", async () => {
  const watch = startWatch();
  blockFor(100);
  await wait(20);
  const before = watch.sample().utilization;
  watch.addSpin(90);
  expect(watch.sample().utilization).toBeLessThan(before);
  watch.addSpin(100_000);
  expect(watch.sample().utilization).toBe(0);
});

test("the last second is told apart from all before it", async () => {
  const watch = startWatch();
  await wait(30);
  blockFor(200);
  await wait(20);
  expect(watch.sample().last.utilization).toBeGreaterThan(0.5);
  await wait(300);
  const { last, loopDelayP99Ms } = watch.sample();
  expect(last.utilization).toBeLessThan(0.5);
  expect(last.durationMs).toBeGreaterThan(250);
  expect(last.loopDelayP99Ms).toBeLessThan(loopDelayP99Ms);
});

test("time that was only waited is left out of the second in which it was", async () => {
  const watch = startWatch();
  blockFor(100);
  await wait(20);
  watch.addSpin(10_000);
  expect(watch.sample()).toMatchObject({ waitedMs: 10_000, last: { utilization: 0 } });
  blockFor(100);
  await wait(20);
  expect(watch.sample().last.utilization).toBeGreaterThan(0.3);
});
