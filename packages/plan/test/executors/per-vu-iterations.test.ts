import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { perVuIterations } from "../../src/executors/per-vu-iterations.ts";
import { sharedIterations } from "../../src/executors/shared-iterations.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const base = {
  name: "s",
  startTimeMs: 0,
  gracefulStopMs: 0,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  maxDurationMs: 600_000,
} as const;
const perVu = { ...base, executor: "per-vu-iterations" } as const;

const sum = (shares: readonly FakeShare[], of: (share: FakeShare) => number): number =>
  shares.reduce((total, share) => total + of(share), 0);

describe("iterations per VU", () => {
  test("are as many for each VU, however fast it is, and each index occurs once, for any number of workers", async () => {
    const small = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(small, small, fc.integer({ min: 1, max: 4 }), async (vus, iterations, count) => {
        const clock = new FakeClock();
        const shares = upTo(count).map(
          (index) =>
            new FakeShare(clock, { stripe: { index, count }, iterationMs: (_start, vu) => 1 + vu * 5 }),
        );
        const ended = shares.map((share) => perVuIterations.run({ ...perVu, vus, iterations }, share));
        await clock.runTo(10_000);
        await Promise.all(ended);
        const ran = shares.flatMap((share) => share.ran);
        expect(ran.map(({ number }) => number).sort((left, right) => left - right)).toEqual(
          upTo(vus * iterations),
        );
        for (const vu of upTo(vus)) expect(ran.filter((one) => one.vu === vu)).toHaveLength(iterations);
        expect(sum(shares, ({ dropped }) => dropped)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  test("are numbered round by round", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 10 });
    const ended = perVuIterations.run({ ...perVu, vus: 3, iterations: 2 }, share);
    await clock.runTo(1000);
    await ended;
    expect(share.ran.map(({ number, vu }) => [number, vu])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 0],
      [4, 1],
      [5, 2],
    ]);
  });
});

describe.each(["per-vu-iterations", "shared-iterations"] as const)("iterations left of %s", (executor) => {
  const iterations = executor === "per-vu-iterations" ? 20 : 100;
  const start = (share: FakeShare): Promise<void> =>
    executor === "per-vu-iterations"
      ? perVuIterations.run({ ...perVu, vus: 5, iterations }, share)
      : sharedIterations.run({ ...base, executor, vus: 5, iterations }, share);
  const begin = (count: number) => {
    const clock = new FakeClock();
    const tickets = new SharedTickets(1);
    const shares = upTo(count).map(
      (index) => new FakeShare(clock, { tickets, stripe: { index, count }, iterationMs: () => 30 }),
    );
    return { clock, shares, ended: shares.map(start) };
  };

  test.each([1, 2, 3, 7])("are dropped when its time is over, each once over %d workers", async (count) => {
    const { clock, shares, ended } = begin(count);
    await clock.runTo(100);
    // Threads see the end one after the other.
    for (const share of shares) {
      share.end();
      await clock.runTo(clock.now() + 7);
    }
    await clock.runTo(10_000);
    await Promise.all(ended);
    const started = sum(shares, ({ ran }) => ran.length);
    expect(started).toBeGreaterThanOrEqual(20);
    expect(started).toBeLessThan(100);
    expect(sum(shares, ({ dropped }) => dropped)).toBe(100 - started);
    expect(shares.flatMap(({ dropReasons }) => [...dropReasons])).toContain("time");
  });

  test("are not dropped when the run is stopped, because they were never due", async () => {
    const { clock, shares, ended } = begin(2);
    await clock.runTo(100);
    for (const share of shares) share.stop();
    await clock.runTo(10_000);
    await Promise.all(ended);
    expect(sum(shares, ({ dropped }) => dropped)).toBe(0);
  });
});
