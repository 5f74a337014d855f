import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { constantVus } from "../../src/executors/constant-vus.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  executor: "constant-vus",
  name: "readers",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  durationMs: 10_000,
} as const;

describe("constant VUs", () => {
  test("each start the next iteration when the last one has ended", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: (_start, vu) => (vu === 0 ? 100 : 250) });
    const ended = constantVus.run({ ...scenario, vus: 2 }, share);
    await clock.runTo(999);
    share.end();
    await clock.runTo(2000);
    await ended;
    expect(share.ran.filter(({ vu }) => vu === 0)).toHaveLength(10);
    expect(share.ran.filter(({ vu }) => vu === 1)).toHaveLength(4);
    expect(share.mostRunning).toBe(2);
    expect(share.ran.every(({ intendedMs, offeredMs }) => intendedMs === null && offeredMs === null)).toBe(
      true,
    );
  });

  test("let running iterations end, and start no others, once their time is over", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 100 });
    const ended = constantVus.run({ ...scenario, vus: 3 }, share);
    await clock.runTo(150);
    share.end();
    expect(share.running).toBe(3);
    await clock.runTo(1000);
    await ended;
    expect(share.ran).toHaveLength(6);
    expect(share.running).toBe(0);
  });

  test("number VUs and iterations without duplicates, for any number of workers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 6 }),
        async (vus, count) => {
          const clock = new FakeClock();
          const shares = upTo(count).map(
            (index) => new FakeShare(clock, { stripe: { index, count }, iterationMs: () => 10 }),
          );
          const ended = shares.map((share) => constantVus.run({ ...scenario, vus }, share));
          await clock.runTo(45, 0);
          for (const share of shares) share.end();
          await clock.runTo(100);
          await Promise.all(ended);
          const vuNumbers = shares.flatMap((share) => share.vus).sort((left, right) => left - right);
          expect(vuNumbers).toEqual(upTo(vus));
          const numbers = shares.flatMap((share) => share.numbers);
          expect(numbers).toHaveLength(vus * 5);
          // Each worker with a VU counts from its own index, in steps of the number of these workers.
          for (const { stripe, numbers: own } of shares)
            expect(own).toEqual(upTo(own.length).map((n) => stripe.index + n * Math.min(count, vus)));
        },
      ),
      { numRuns: 20 },
    );
  });

  test("let other code run when iterations never wait", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, {
      iterationMs: () => {
        clock.jump(1);
        return 0;
      },
    });
    const ended = constantVus.run({ ...scenario, vus: 1 }, share);
    clock.at(50, () => {
      share.end();
    });
    await clock.runTo(60);
    share.end();
    await clock.runTo(1000);
    await ended;
    expect(share.ran.length).toBeGreaterThan(10);
    expect(share.ran.length).toBeLessThan(100);
  });
});
