import { setTimeout as wait } from "node:timers/promises";

import { systemClock, type Clock } from "@bearhug/plan/pacing/clock";
import { describe, expect, onTestFinished, test } from "vitest";

import { LoopWatch } from "../../src/health/loop-watch.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

function startWatch(clock: Clock = systemClock): LoopWatch {
  const watch = new LoopWatch();
  watch.begin(clock);
  onTestFinished(() => {
    watch.stop();
  });
  return watch;
}

function blockFor(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}

test("a blocked thread counts as busy, and its timers as late", async () => {
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
  watch.addSpin(90, false);
  expect(watch.sample().utilization).toBeLessThan(before);
  watch.addSpin(100_000, false);
  expect(watch.sample().utilization).toBe(0);
});

test("the last second is measured apart from the time before it", async () => {
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

test("time in which the pacer only waited is left out of the second in which it waited", async () => {
  const watch = startWatch();
  blockFor(100);
  await wait(20);
  watch.addSpin(10_000, false);
  expect(watch.sample()).toMatchObject({ waitedMs: 10_000, last: { utilization: 0 } });
  blockFor(100);
  await wait(20);
  expect(watch.sample().last.utilization).toBeGreaterThan(0.3);
});

test("a nap of the pacer does not count as CPU time", async () => {
  const watch = startWatch();
  blockFor(50);
  await wait(20);
  watch.addSpin(10_000, true);
  expect(watch.sample()).toMatchObject({ waitedMs: 0, utilization: 0 });
});

describe("pauses", () => {
  test("of less than a second, of the thread or of the whole process, add up", async () => {
    const clock = new FakeClock(5000);
    const watch = startWatch(clock);
    for (const untilMs of [7000, 10_000, 12_000]) {
      await clock.runTo(untilMs);
      clock.jump(untilMs === 10_000 ? 950 : 900);
    }
    await clock.runTo(13_000);
    const { pauses, loopDelayP95Ms, loopDelayP99Ms } = watch.sample();
    expect(pauses.count).toBe(3);
    expect(pauses.totalMs).toBeGreaterThan(2700);
    expect(pauses.totalMs).toBeLessThanOrEqual(2750);
    expect(pauses.longestMs).toBeGreaterThan(930);
    expect(pauses.longestAtMs).toBeGreaterThanOrEqual(5000);
    expect(pauses.longestAtMs).toBeLessThan(5020);
    expect(loopDelayP95Ms).toBeGreaterThan(700);
    expect(loopDelayP99Ms).toBeGreaterThan(loopDelayP95Ms);
  });

  test("are none below 20 ms", async () => {
    const clock = new FakeClock();
    const watch = startWatch(clock);
    for (let untilMs = 100; untilMs <= 1000; untilMs += 100) {
      await clock.runTo(untilMs);
      clock.jump(18);
    }
    expect(watch.sample().pauses).toEqual({ count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 });
  });

  test("that have just ended are counted, though their timer has not fired yet", async () => {
    const clock = new FakeClock();
    const watch = startWatch(clock);
    await clock.runTo(1000);
    clock.jump(500);
    expect(watch.sample().last.loopDelayP99Ms).toBeGreaterThan(400);
    expect(watch.sample().pauses.count).toBe(1);
  });

  test("are looked for until the watch stops, which leaves no timer", () => {
    const clock = new FakeClock();
    const watch = new LoopWatch();
    watch.begin(clock);
    expect(clock.armed).toBe(1);
    watch.stop();
    expect(clock.armed).toBe(0);
  });
});
