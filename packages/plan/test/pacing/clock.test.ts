import { createHook } from "node:async_hooks";
import { Worker } from "node:worker_threads";

import { describe, expect, test } from "vitest";

import { systemClock, every } from "../../src/pacing/clock.ts";
import { FakeClock } from "./fake-clock.ts";

describe("the system's clock", () => {
  test("never calls back early", async () => {
    for (const delayMs of [0, 0.2, 1, 1.7, 5.3, 12.9]) {
      const atMs = systemClock.now() + delayMs;
      const calledMs = await new Promise<number>((resolve) => {
        systemClock.at(atMs, () => {
          resolve(systemClock.now());
        });
      });
      expect(calledMs).toBeGreaterThanOrEqual(atMs);
    }
  });

  test("sleeps until it calls back, instead of polling", async () => {
    let timers = 0;
    const counting = createHook({
      init(_id, type) {
        if (type === "Timeout") timers++;
      },
    }).enable();
    await new Promise<void>((resolve) => {
      systemClock.at(systemClock.now() + 60, resolve);
    });
    counting.disable();
    expect(timers).toBeGreaterThan(0);
    expect(timers).toBeLessThan(5);
  });

  test("blocks the thread during a nap", () => {
    const startMs = systemClock.now();
    systemClock.nap(20);
    expect(systemClock.now() - startMs).toBeGreaterThan(15);
  });

  test("does not call a cancelled callback", async () => {
    let hasCalled = false;
    const cancel = systemClock.at(systemClock.now() + 5, () => {
      hasCalled = true;
    });
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.at(systemClock.now() + 20, resolve);
    });
    expect(hasCalled).toBe(false);
  });

  test("waits for times beyond the longest delay of a timer", async () => {
    let hasCalled = false;
    const cancel = systemClock.at(systemClock.now() + 2 ** 33, () => {
      hasCalled = true;
    });
    await new Promise<void>((resolve) => {
      systemClock.at(systemClock.now() + 20, resolve);
    });
    cancel();
    expect(hasCalled).toBe(false);
  });

  test("is shared by all threads", async () => {
    const before = systemClock.now();
    const worker = new Worker('require("node:worker_threads").parentPort.postMessage(performance.now())', {
      eval: true,
    });
    const there = await new Promise<number>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    const after = systemClock.now();
    await worker.terminate();
    expect(there).toBeGreaterThanOrEqual(before);
    expect(there).toBeLessThanOrEqual(after);
  });
});

describe("every", () => {
  test("calls back once a period until it is ended", async () => {
    const clock = new FakeClock(100);
    const calls: number[] = [];
    const end = every(clock, 250, () => calls.push(clock.now()));
    await clock.runTo(1100);
    end();
    await clock.runTo(3000);
    expect(calls).toEqual([350, 600, 850, 1100]);
    expect(clock.armed).toBe(0);
  });

  test("can be ended from within the callback", async () => {
    const clock = new FakeClock();
    let calls = 0;
    const end = every(clock, 10, () => {
      calls++;
      if (calls === 2) end();
    });
    await clock.runTo(1000);
    expect(calls).toBe(2);
    expect(clock.armed).toBe(0);
  });
});
