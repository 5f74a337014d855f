import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { ArrivalQueue, longestQueue } from "../../src/executors/open-model.ts";
import { constantArrivalRate } from "../../src/executors/constant-arrival-rate.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  executor: "constant-arrival-rate",
  name: "visits",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  rate: 100,
  timeUnitMs: 1000,
  durationMs: 1000,
  preAllocatedVUs: 0,
  maxVUs: 2,
  arrivals: "uniform",
  onBusy: "queue",
} as const;

const arrival = (number: number) => ({ number, intendedMs: number, offeredMs: number });

describe("a queue of arrivals", () => {
  test("serves arrivals in order, however many join and leave", () => {
    const queue = new ArrivalQueue();
    const served: number[] = [];
    let joined = 0;
    for (let round = 0; round < 60; round++) {
      for (let n = 0; n < 100; n++) expect(queue.join(arrival(joined++))).toBe(true);
      for (let n = 0; n < 70; n++) served.push(queue.next()?.number ?? -1);
      expect(queue.length).toBe(joined - served.length);
    }
    expect(served).toEqual(upTo(served.length));
    expect(queue.drain().map(({ number }) => number)).toEqual(
      upTo(joined - served.length).map((n) => n + served.length),
    );
    expect([queue.length, queue.next(), queue.drain()]).toEqual([0, undefined, []]);
  });

  test("serves arrivals that join after it was found empty", () => {
    const queue = new ArrivalQueue();
    expect(queue.next()).toBeUndefined();
    queue.join(arrival(7));
    expect([queue.length, queue.next()?.number]).toEqual([1, 7]);
  });

  test("takes no arrival beyond its bound, and one more after each that it serves", () => {
    const queue = new ArrivalQueue();
    for (let n = 0; n < longestQueue; n++) queue.join(arrival(n));
    expect([queue.length, queue.join(arrival(-1))]).toEqual([longestQueue, false]);
    expect(queue.next()?.number).toBe(0);
    expect([queue.join(arrival(-2)), queue.join(arrival(-3))]).toEqual([true, false]);
  });
});

describe("arrivals that wait for a free VU", () => {
  test("are started in order as VUs become free, each with its intended time", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 50 });
    const ended = constantArrivalRate.run(scenario, share);
    await share.clock.runTo(20_000, 0.05);
    await ended;
    expect(share.ran.map(({ number }) => number)).toEqual(upTo(100));
    expect(share.mostRunning).toBe(2);
    expect(share.dropped).toBe(0);
    for (const { number, intendedMs, offeredMs, atMs } of share.ran) {
      expect(intendedMs).toBe(number * 10);
      expect((offeredMs ?? 0) - (intendedMs ?? 0)).toBeLessThan(1);
      // Two VUs of 50 ms each serve 40 in a second: the n-th starts when n/2 have been served.
      expect(atMs).toBeGreaterThanOrEqual(Math.floor(number / 2) * 50);
      expect(atMs).toBeLessThan(Math.floor(number / 2) * 50 + 15);
    }
  });

  test("let other code run when iterations never wait", async () => {
    const clock = new FakeClock();
    let ranAtTimer = 0;
    const share = new FakeShare(clock, {
      iterationMs: () => {
        clock.jump(1);
        return 0;
      },
    });
    clock.at(70, () => {
      ranAtTimer = share.ran.length;
    });
    const ended = constantArrivalRate.run({ ...scenario, rate: 1000, durationMs: 100, maxVUs: 1 }, share);
    clock.jump(50);
    await clock.runTo(2000);
    await ended;
    expect(share.ran).toHaveLength(100);
    // At 50 ms 51 are due, and each takes 1 ms. The timer at 70 ms fires before all of them have run.
    expect(ranAtTimer).toBeGreaterThan(10);
    expect(ranAtTimer).toBeLessThan(40);
  });

  test("go on being served after the end of the scenario's time", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 50 });
    const ended = constantArrivalRate.run(scenario, share);
    await share.clock.runTo(1000);
    share.end();
    await share.clock.runTo(20_000);
    await ended;
    expect(share.ran).toHaveLength(100);
    expect(share.ran.at(-1)?.atMs).toBeGreaterThan(2000);
    expect(share.dropped).toBe(0);
  });

  test.each([
    { when: "the run stops", atMs: 505, isAfterEnd: false },
    { when: "the graceful stop is over", atMs: 1505, isAfterEnd: true },
  ])("are dropped and counted when $when", async ({ atMs, isAfterEnd }) => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 50 });
    const ended = constantArrivalRate.run(scenario, share);
    if (isAfterEnd) {
      await share.clock.runTo(1000);
      share.end();
    }
    await share.clock.runTo(atMs);
    const started = share.ran.length;
    share.stop();
    await share.clock.runTo(20_000);
    await ended;
    expect(share.ran).toHaveLength(started);
    const due = isAfterEnd ? 100 : Math.floor(atMs / 10) + 1;
    expect(share.dropped).toBe(due - started);
    expect([...share.dropReasons]).toEqual([isAfterEnd ? "busy" : "stopped"]);
    // Each is dropped with its own time, so that drops in a warm-up are attributed to the warm-up.
    expect(share.droppedDueMs).toEqual(upTo(due - started).map((n) => (started + n) * 10));
  });

  test("beyond the queue's bound are dropped", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 600_000 });
    const ended = constantArrivalRate.run({ ...scenario, rate: 300_000 }, share);
    share.clock.jump(1050);
    await share.clock.runTo(1200);
    share.stop();
    await share.clock.runTo(1_200_000);
    await ended;
    expect(share.ran).toHaveLength(2);
    expect(share.dropped).toBe(300_000 - 2);
    expect([...share.dropReasons]).toEqual(["queue full", "stopped"]);
    expect(share.droppedDueMs[0]).toBeCloseTo((longestQueue + 2) / 300, 6);
  });
});
