import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { constantArrivalRate } from "../../src/executors/constant-arrival-rate.ts";
import { constantArrivals } from "../../src/pacing/arrivals.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  executor: "constant-arrival-rate",
  name: "signups",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  rate: 100,
  timeUnitMs: 1000,
  durationMs: 1000,
  preAllocatedVUs: 1,
  maxVUs: 1000,
  arrivals: "uniform",
  onBusy: "drop",
} as const;

describe("a constant arrival rate", () => {
  test("starts every arrival once, on time, however slow the target", async () => {
    const clock = new FakeClock(5000);
    const share = new FakeShare(clock, { iterationMs: () => 700 });
    const ended = constantArrivalRate.run(scenario, share);
    await clock.runTo(10_000);
    await ended;
    expect(share.numbers).toEqual(upTo(100));
    expect(share.dropped).toBe(0);
    for (const { number, intendedMs, offeredMs, atMs } of share.ran) {
      expect(intendedMs).toBe(5000 + number * 10);
      expect(offeredMs).toBe(atMs);
      expect(atMs - intendedMs!).toBeGreaterThanOrEqual(0);
      expect(atMs - intendedMs!).toBeLessThan(1);
    }
  });

  test("creates VUs when they are needed, and reuses the one that was used last", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 35 });
    const ended = constantArrivalRate.run({ ...scenario, preAllocatedVUs: 2 }, share);
    expect(share.vus).toHaveLength(2);
    await clock.runTo(10_000);
    await ended;
    expect(share.mostRunning).toBe(4);
    expect(share.vus).toEqual(upTo(4));
  });

  test("drops arrivals that find no free VU: started and dropped ones add up to those due", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 95 });
    const ended = constantArrivalRate.run({ ...scenario, maxVUs: 3 }, share);
    await clock.runTo(10_000);
    await ended;
    expect(share.mostRunning).toBe(3);
    expect(share.vus).toHaveLength(3);
    expect(share.ran.length).toBe(30);
    expect(share.dropped).toBe(70);
    expect([...share.dropReasons]).toEqual(["busy"]);
  });

  test("stops at once when the run stops, and lets running iterations end", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 500 });
    let hasEnded = false;
    const ended = constantArrivalRate.run(scenario, share).then(() => {
      hasEnded = true;
    });
    await clock.runTo(255);
    share.stop();
    await clock.runTo(300);
    expect(share.ran).toHaveLength(26);
    expect(hasEnded).toBe(false);
    await clock.runTo(2000);
    await ended;
    expect(share.ran).toHaveLength(26);
    expect(share.dropped).toBe(0);
  });

  test("drops arrivals that were due but not started when the run stopped", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 500 });
    const ended = constantArrivalRate.run(scenario, share);
    await clock.runTo(255);
    clock.jump(100);
    share.stop();
    await clock.runTo(2000);
    await ended;
    expect(share.ran).toHaveLength(26);
    expect(share.dropped).toBe(10);
    expect([...share.dropReasons]).toEqual(["stopped"]);
  });

  test("loses and repeats no iteration when it is striped over workers", async () => {
    const rates = fc.integer({ min: 1, max: 400 });
    await fc.assert(
      fc.asyncProperty(
        rates,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(300),
        async (rate, count, durationMs) => {
          const clock = new FakeClock();
          const plan = { ...scenario, rate, durationMs: durationMs + 1 };
          const shares = upTo(count).map((index) => new FakeShare(clock, { stripe: { index, count } }));
          const ended = shares.map((share) => constantArrivalRate.run(plan, share));
          await clock.runTo(1000);
          await Promise.all(ended);
          const { total } = constantArrivals(rate, 1000, durationMs + 1);
          const numbers = shares.flatMap((share) => share.numbers).sort((left, right) => left - right);
          expect(numbers).toEqual(upTo(total));
        },
      ),
      { numRuns: 15 },
    );
  });

  test("needs no more than maxVUs when there are more workers than VUs", async () => {
    for (const maxVUs of [1, 2, 3]) {
      const count = 4;
      const clock = new FakeClock();
      const shares = upTo(count).map((index) => new FakeShare(clock, { stripe: { index, count } }));
      const ended = shares.map((share) => constantArrivalRate.run({ ...scenario, maxVUs }, share));
      await clock.runTo(2000);
      await Promise.all(ended);
      expect(shares.flatMap(({ vus }) => vus).length).toBeLessThanOrEqual(maxVUs);
      expect(shares.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(0);
      expect(shares.flatMap(({ numbers }) => numbers)).toHaveLength(100);
    }
  });
});
