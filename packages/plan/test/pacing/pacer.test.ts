import { setImmediate as turn } from "node:timers/promises";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { constantArrivals } from "../../src/pacing/arrivals.ts";
import { systemClock } from "../../src/pacing/clock.ts";
import { latestCatchUpMs, pace } from "../../src/pacing/pacer.ts";
import { FakeClock } from "./fake-clock.ts";

interface Started {
  readonly position: number;
  readonly intendedMs: number;
  readonly offeredMs: number;
}

function paced(clock: FakeClock, dueMs: (position: number) => number, endMs = Infinity) {
  const started: Started[] = [];
  const missed: number[] = [];
  const missedLate: number[] = [];
  const spins: number[] = [];
  let stop: () => void = () => undefined;
  let hasEnded = false;
  const ended = pace({
    clock,
    dueMs,
    endMs,
    onStop: (callback) => {
      stop = callback;
    },
    onSpin: (durationMs) => spins.push(durationMs),
    miss: (position, isLate) => (isLate ? missedLate : missed).push(position),
    start: (position, intendedMs, offeredMs) => started.push({ position, intendedMs, offeredMs }),
  }).then(() => {
    hasEnded = true;
  });
  return { started, missed, missedLate, spins, ended, stop: () => stop(), hasEnded: () => hasEnded };
}

describe("the pacer", () => {
  test("starts each event once, in order, never before it is due", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.5, max: 3000, noNaN: true }),
        fc.integer({ min: 1, max: 300 }),
        async (rate, durationMs) => {
          const clock = new FakeClock();
          const schedule = constantArrivals(rate, 1000, durationMs);
          const { started, ended } = paced(clock, (position) => schedule.dueMs(position));
          await clock.runTo(durationMs + 10);
          await ended;
          expect(started.map(({ position }) => position)).toEqual(
            Array.from({ length: schedule.total }, (_, index) => index),
          );
          for (const { position, intendedMs, offeredMs } of started) {
            expect(intendedMs).toBe(schedule.dueMs(position));
            expect(offeredMs).toBeGreaterThanOrEqual(intendedMs);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test("starts everything that is due after a late wake, with the intended times", async () => {
    const clock = new FakeClock();
    const schedule = constantArrivals(100, 1000, 1000);
    const { started, ended } = paced(clock, (position) => schedule.dueMs(position));
    await clock.runTo(100);
    expect(started).toHaveLength(11);
    clock.jump(500);
    await clock.runTo(600);
    expect(started).toHaveLength(61);
    const late = started.slice(11);
    expect(late.map(({ intendedMs }) => intendedMs)).toEqual(
      Array.from({ length: 50 }, (_, index) => 110 + 10 * index),
    );
    expect(new Set(late.map(({ offeredMs }) => offeredMs))).toEqual(new Set([600]));
    await clock.runTo(2000);
    await ended;
    expect(started).toHaveLength(100);
  });

  test("starts nothing more once it is stopped, and leaves no timer behind", async () => {
    const clock = new FakeClock();
    const { started, missed, stop, ended, hasEnded } = paced(clock, (position) => position * 10);
    await clock.runTo(95);
    expect(hasEnded()).toBe(false);
    stop();
    await ended;
    expect(clock.armed).toBe(0);
    await clock.runTo(1000);
    expect(started).toHaveLength(10);
    expect(missed).toEqual([]);
  });

  test("reports each event that was due but not started when it stopped, exactly once", async () => {
    const clock = new FakeClock();
    const { started, missed, stop, ended } = paced(clock, (position) => position * 10);
    await clock.runTo(95);
    clock.jump(35);
    stop();
    stop();
    await ended;
    await clock.runTo(1000);
    expect(started).toHaveLength(10);
    // Stopping again reports nothing more.
    stop();
    expect(missed).toEqual([10, 11, 12, 13]);
  });

  test.each([
    { lateMs: latestCatchUpMs, started: 100 },
    { lateMs: latestCatchUpMs + 1, started: 96 },
  ])("that wakes $lateMs ms after the end starts $started of 100, and the rest is late", async (row) => {
    const clock = new FakeClock();
    const schedule = constantArrivals(100, 1000, 1000);
    const { started, missed, missedLate, ended } = paced(clock, (position) => schedule.dueMs(position), 1000);
    await clock.runTo(955);
    clock.jump(45 + row.lateMs);
    await clock.runTo(2000);
    await ended;
    expect(started).toHaveLength(row.started);
    expect(missedLate).toEqual(Array.from({ length: 100 - row.started }, (_, index) => row.started + index));
    expect(missed).toEqual([]);
  });

  test("starts or misses everything that was due, whenever it is stopped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(400), fc.nat(200), async (ranMs, busyMs) => {
        const clock = new FakeClock();
        const schedule = constantArrivals(130, 1000, 500);
        const { started, missed, stop, ended } = paced(clock, (position) => schedule.dueMs(position));
        await clock.runTo(ranMs);
        clock.jump(busyMs);
        stop();
        await ended;
        const reported = [...started.map(({ position }) => position), ...missed];
        const due = constantArrivals(130, 1000, 500);
        const count = Array.from({ length: due.total }).filter((_, index) => due.dueMs(index) <= clock.now());
        expect(reported).toEqual(Array.from(count, (_, index) => index));
      }),
      { numRuns: 25 },
    );
  });

  test("can be stopped by an event that it starts, while more events are due", async () => {
    const clock = new FakeClock(1000);
    const positions: number[] = [];
    const missed: number[] = [];
    let stop: () => void = () => undefined;
    await pace({
      clock,
      dueMs: (position) => (position <= 103 ? position : position * 100),
      endMs: Infinity,
      onStop: (callback) => {
        stop = callback;
      },
      miss: (position) => missed.push(position),
      start: (position) => {
        positions.push(position);
        if (position === 3) stop();
      },
    });
    expect(positions).toEqual([0, 1, 2, 3]);
    expect(missed).toEqual(Array.from({ length: 100 }, (_, index) => 4 + index));
    expect(clock.armed).toBe(0);
  });

  test("starts nothing if it is stopped before it begins", async () => {
    const started: number[] = [];
    const missed: number[] = [];
    await pace({
      clock: new FakeClock(5),
      dueMs: (position) => (position < 3 ? 0 : Infinity),
      endMs: Infinity,
      onStop: (callback) => callback(),
      miss: (position) => missed.push(position),
      start: (position) => started.push(position),
    });
    expect(started).toEqual([]);
    expect(missed).toEqual([0, 1, 2]);
  });

  test("rejects with the error that starting an event throws", async () => {
    const clock = new FakeClock();
    const missed: number[] = [];
    let stop: () => void = () => undefined;
    const ended = pace({
      clock,
      dueMs: (position) => position * 10,
      endMs: Infinity,
      onStop: (callback) => {
        stop = callback;
      },
      miss: (position) => missed.push(position),
      start: (position) => {
        if (position === 2) throw new RangeError("no more");
      },
    });
    const rejection = expect(ended).rejects.toThrow("no more");
    await clock.runTo(100);
    await rejection;
    stop();
    expect(missed).toEqual([]);
  });

  test("naps only if the next event is further away than a nap may take", async () => {
    const naps: number[] = [];
    class NappingClock extends FakeClock {
      override nap(durationMs: number): void {
        naps.push(this.now());
        super.nap(durationMs);
      }
    }
    const clock = new NappingClock();
    const { ended } = paced(clock, (position) => (position < 20 ? position * 0.9 : Infinity));
    await clock.runTo(30, 0.01);
    await ended;
    expect(naps.length).toBeGreaterThan(20);
    for (const napMs of naps) expect(0.9 - (napMs % 0.9)).toBeGreaterThan(0.19);
  });

  test("waits turn by turn for events that are too close for a timer, and reports these waits", async () => {
    const clock = new FakeClock();
    const { started, spins, ended } = paced(clock, (position) => (position < 20 ? position * 0.9 : Infinity));
    await clock.runTo(30, 0.01);
    await ended;
    expect(started).toHaveLength(20);
    expect(spins.length).toBeGreaterThan(20);
    // A turn of this clock takes 0.01 ms, a nap of the pacer 0.03 ms.
    expect(new Set(spins.map((spinMs) => spinMs.toFixed(3)))).toEqual(new Set(["0.010", "0.030"]));
  });

  test("does not report a turn in which other code worked as a wait", async () => {
    const clock = new FakeClock();
    const { spins, ended } = paced(clock, (position) => (position < 5 ? position * 0.9 : Infinity));
    await clock.runTo(30, 0.3);
    await ended;
    for (const spinMs of spins) expect(spinMs).toBeCloseTo(0.03, 6);
  });

  test("starts all events by the system's clock, none early, while I/O gets its turns", async () => {
    const startMs = systemClock.now();
    const early: number[] = [];
    let count = 0;
    let turns = 0;
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) {
        await turn();
        turns++;
      }
    })();
    await pace({
      clock: systemClock,
      dueMs: (position) => (position < 200 ? startMs + position * 0.5 : Infinity),
      endMs: Infinity,
      onStop: () => undefined,
      miss: () => undefined,
      start: (_position, intendedMs) => {
        count++;
        if (systemClock.now() < intendedMs) early.push(intendedMs);
      },
    });
    over.abort();
    await others;
    expect(count).toBe(200);
    expect(early).toEqual([]);
    expect(turns).toBeGreaterThan(1);
  });
});
