import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ScenarioOf } from "../../src/executors/validated-scenario.ts";
import { constantArrivalRate } from "../../src/executors/constant-arrival-rate.ts";
import { rampingArrivalRate } from "../../src/executors/ramping-arrival-rate.ts";
import { poissonArrivals } from "../../src/pacing/arrivals.ts";
import { latestCatchUpMs } from "../../src/pacing/pacer.ts";
import { constantRate } from "../../src/pacing/rate-profile.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const base = {
  name: "visits",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  timeUnitMs: 1000,
  preAllocatedVUs: 0,
  maxVUs: 1000,
  arrivals: "uniform",
  onBusy: "drop",
} as const;
const steady = { ...base, executor: "constant-arrival-rate", rate: 100, durationMs: 1000 } as const;
const ramping: ScenarioOf<"ramping-arrival-rate"> = {
  ...base,
  executor: "ramping-arrival-rate",
  startRate: 0,
  stages: [
    { durationMs: 5000, target: 1 },
    { durationMs: 1000, target: 1 },
    { durationMs: 5000, target: 0 },
  ],
};

describe("a ramping arrival rate", () => {
  test("starts each arrival when the integral of the rate reaches the next whole number", async () => {
    const share = new FakeShare(new FakeClock(1000), { iterationMs: () => 3000 });
    const ended = rampingArrivalRate.run(ramping, share);
    await share.clock.runTo(20_000);
    await ended;
    expect(share.ran.map(({ intendedMs }) => Math.floor((intendedMs ?? 0) - 1000))).toEqual([
      3162, 4472, 5500, 6527, 7837, 11_000,
    ]);
    for (const { atMs, intendedMs } of share.ran) expect(atMs - (intendedMs ?? 0)).toBeLessThan(1);
    expect(share.dropped).toBe(0);
  });

  test("starts the arrival that is due at the very end, and none where the rate is 0", async () => {
    const share = new FakeShare(new FakeClock());
    const none = rampingArrivalRate.run({ ...ramping, stages: [{ durationMs: 1000, target: 0 }] }, share);
    await share.clock.runTo(2000);
    await none;
    expect(share.ran).toEqual([]);
    const level = { ...ramping, startRate: 1, stages: [{ durationMs: 2000, target: 1 }] };
    const ended = rampingArrivalRate.run(level, share);
    await share.clock.runTo(10_000);
    await ended;
    expect(share.ran.map(({ number }) => number)).toEqual([0, 1]);
  });
});

describe("arrivals of both open models", () => {
  test.each(["uniform", "poisson"] as const)(
    "that are %s are each started once, however many workers share them",
    async (arrivals) => {
      const rates = fc.integer({ min: 1, max: 200 });
      await fc.assert(
        fc.asyncProperty(rates, rates, fc.integer({ min: 1, max: 5 }), async (from, to, count) => {
          const clock = new FakeClock();
          const plan = { ...ramping, arrivals, startRate: from, stages: [{ durationMs: 800, target: to }] };
          const alone = new FakeShare(clock);
          const shares = upTo(count).map((index) => new FakeShare(clock, { stripe: { index, count } }));
          const ended = [alone, ...shares].map((share) => rampingArrivalRate.run(plan, share));
          await clock.runTo(2000);
          await Promise.all(ended);
          expect(shares.flatMap(({ numbers }) => numbers).sort((left, right) => left - right)).toEqual(
            upTo(alone.ran.length),
          );
          const times = new Map(alone.ran.map(({ number, intendedMs }) => [number, intendedMs]));
          for (const { number, intendedMs } of shares.flatMap(({ ran }) => ran))
            expect(intendedMs).toBe(times.get(number));
        }),
        { numRuns: 10 },
      );
    },
  );

  test.each([
    {
      executor: "constant-arrival-rate",
      start: (share: FakeShare) => constantArrivalRate.run({ ...steady, arrivals: "poisson" }, share),
    },
    {
      executor: "ramping-arrival-rate",
      start: (share: FakeShare) => {
        const stages = [{ durationMs: 1000, target: 100 }];
        return rampingArrivalRate.run({ ...ramping, arrivals: "poisson", startRate: 100, stages }, share);
      },
    },
  ])("of $executor follow the share's random numbers if they are Poisson", async ({ start }) => {
    const share = new FakeShare(new FakeClock(500));
    const ended = start(share);
    await share.clock.runTo(5000);
    await ended;
    const expected = poissonArrivals(constantRate(100, 1000, 1000), () => share.arrivalSource());
    expect(share.ran.length).toBeGreaterThan(50);
    for (const [index, { intendedMs }] of share.ran.entries())
      expect(intendedMs).toBeCloseTo(500 + expected.dueMs(index), 6);
    expect(expected.dueMs(share.ran.length)).toBe(Infinity);
  });

  test("report how long the pacer only waited", async () => {
    const share = new FakeShare(new FakeClock());
    const ended = constantArrivalRate.run(steady, share);
    await share.clock.runTo(2000, 0.01);
    await ended;
    // Timers may be 1 ms late, so the last millisecond before each of 100 arrivals is spent turn by turn.
    expect(share.spunMs).toBeGreaterThan(90);
    expect(share.spunMs).toBeLessThanOrEqual(100);
  });

  test("have ended only when the last iteration has ended", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: ({ number }) => (number === 0 ? 5000 : 10) });
    let hasEnded = false;
    const ended = constantArrivalRate.run(steady, share).then(() => {
      hasEnded = true;
    });
    await share.clock.runTo(4000);
    expect([share.running, hasEnded]).toEqual([1, false]);
    await share.clock.runTo(6000);
    await ended;
    expect(share.running).toBe(0);
  });

  test("are all started after a late wake, and later ones on time again", async () => {
    const share = new FakeShare(new FakeClock());
    const ended = constantArrivalRate.run(steady, share);
    await share.clock.runTo(205);
    share.clock.jump(333);
    await share.clock.runTo(5000);
    await ended;
    expect(share.numbers).toEqual(upTo(100));
    expect(share.dropped).toBe(0);
    const late = share.ran.filter(({ atMs, intendedMs }) => atMs - (intendedMs ?? 0) >= 1);
    expect(late.map(({ number }) => number)).toEqual(upTo(33).map((n) => 21 + n));
  });

  test.each([
    { lateMs: latestCatchUpMs - 1, isStarted: true },
    { lateMs: latestCatchUpMs + 1, isStarted: false },
  ])(
    "that were due before the end, after a wake $lateMs ms past it: started $isStarted",
    async ({ lateMs, isStarted }) => {
      const share = new FakeShare(new FakeClock());
      const ended = constantArrivalRate.run(steady, share);
      await share.clock.runTo(955);
      share.clock.jump(45 + lateMs);
      share.end();
      await share.clock.runTo(5000);
      await ended;
      expect(share.ran).toHaveLength(isStarted ? 100 : 96);
      expect(share.dropped).toBe(isStarted ? 0 : 4);
      expect([...share.dropReasons]).toEqual(isStarted ? [] : ["late"]);
    },
  );
});
