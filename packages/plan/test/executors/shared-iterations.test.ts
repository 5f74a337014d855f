import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { sharedIterations } from "../../src/executors/shared-iterations.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  executor: "shared-iterations",
  name: "s",
  startTimeMs: 0,
  gracefulStopMs: 0,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  maxDurationMs: 600_000,
} as const;

describe("shared iterations", () => {
  test("are each run once, whatever the number of VUs and workers and however long they take", async () => {
    const vus = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(vus, fc.nat(200), fc.integer({ min: 1, max: 4 }), async (vus, iterations, count) => {
        const clock = new FakeClock();
        const tickets = new SharedTickets(1);
        const shares = upTo(count).map(
          (index) =>
            new FakeShare(clock, { tickets, stripe: { index, count }, iterationMs: (_start, vu) => vu * 3 }),
        );
        const ended = shares.map((share) => sharedIterations.run({ ...scenario, vus, iterations }, share));
        await clock.runTo(100_000);
        await Promise.all(ended);
        const numbers = shares.flatMap((share) => share.numbers).sort((left, right) => left - right);
        expect(numbers).toEqual(upTo(iterations));
      }),
      { numRuns: 20 },
    );
  });

  test("go to any free VU: a fast VU runs more of them", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: (_start, vu) => (vu === 0 ? 10 : 100) });
    const ended = sharedIterations.run({ ...scenario, vus: 2, iterations: 22 }, share);
    await clock.runTo(10_000);
    await ended;
    expect(share.ran.filter(({ vu }) => vu === 0)).toHaveLength(20);
    expect(share.ran.filter(({ vu }) => vu === 1)).toHaveLength(2);
  });

  test("end with the last one: no VU rests when there is nothing left to do", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 100, restMs: () => 5000 });
    let endedMs = 0;
    const ended = sharedIterations.run({ ...scenario, vus: 1, iterations: 2 }, share).then(() => {
      endedMs = clock.now();
    });
    await clock.runTo(20_000, 0);
    await ended;
    expect(endedMs).toBe(5200);
  });

  test("that run when the time is over are not followed by a rest", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 100, restMs: () => 5000 });
    const ended = sharedIterations.run({ ...scenario, vus: 1, iterations: 9 }, share);
    await clock.runTo(50);
    share.end();
    await clock.runTo(110);
    await ended;
    expect(clock.armed).toBe(0);
  });

  test("are not begun any more once the time is over", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 100 });
    const ended = sharedIterations.run({ ...scenario, vus: 2, iterations: 1000 }, share);
    await clock.runTo(450);
    share.end();
    await clock.runTo(10_000);
    await ended;
    expect(share.ran).toHaveLength(10);
  });
});
