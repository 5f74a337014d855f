import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { Deadlines } from "../src/exchange/deadlines.ts";
import { FakeClock } from "../../plan/test/pacing/fake-clock.ts";

function expiring(clock: FakeClock, name: string, expired: { name: string; atMs: number }[]) {
  return {
    expire: () => {
      expired.push({ name, atMs: clock.now() });
    },
  };
}

describe("deadlines", () => {
  test("expire each at its time, whatever their order, never early", async () => {
    const requests = fc.array(
      fc.record({ startMs: fc.nat(500), timeoutMs: fc.constantFrom(10, 60, 250), isDone: fc.boolean() }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(requests, async (unsorted) => {
        const clock = new FakeClock();
        const deadlines = new Deadlines(clock);
        const expired: { name: string; atMs: number }[] = [];
        const expected: { name: string; atMs: number }[] = [];
        const sorted = [...unsorted].sort((left, right) => left.startMs - right.startMs);
        for (const [index, { startMs, timeoutMs, isDone }] of sorted.entries()) {
          await clock.runTo(startMs);
          const deadline = deadlines.after(timeoutMs, expiring(clock, String(index), expired), clock.now());
          if (isDone) {
            clock.at(startMs + timeoutMs / 2, () => {
              deadline.cancel();
            });
          } else expected.push({ name: String(index), atMs: startMs + timeoutMs });
        }
        await clock.runTo(2000);
        const byName = (left: { name: string }, right: { name: string }): number =>
          Number(left.name) - Number(right.name);
        expect(expired.sort(byName)).toEqual(expected);
        expect(clock.armed).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  test("with the same timeout expire in the order in which they began, all at once if the timer is late", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const expired: { name: string; atMs: number }[] = [];
    for (let name = 0; name < 1000; name++) {
      deadlines.after(100, expiring(clock, String(name), expired), name / 100);
    }
    clock.jump(5000);
    await clock.runTo(5001);
    expect(expired.map(({ name }) => Number(name))).toEqual(Array.from({ length: 1000 }, (_, name) => name));
  });

  test("need one timer, however many there are", () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    for (let name = 0; name < 1000; name++) deadlines.after(100 + (name % 7), { expire: () => {} }, 0);
    expect(clock.armed).toBe(1);
    deadlines.close();
    expect(clock.armed).toBe(0);
  });

  test("that were cancelled by another's expiry do not expire", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const expired: string[] = [];
    const first = {
      expire: () => {
        expired.push("first");
        second.cancel();
      },
    };
    deadlines.after(100, first, 0);
    const second = deadlines.after(100, { expire: () => expired.push("second") }, 0);
    await clock.runTo(1000);
    expect(expired).toEqual(["first"]);
  });

  test("may be cancelled twice, and after they expired", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const expired: string[] = [];
    const one = deadlines.after(100, { expire: () => expired.push("one") }, 0);
    const two = deadlines.after(100, { expire: () => expired.push("two") }, 0);
    deadlines.after(100, { expire: () => expired.push("three") }, 0);
    two.cancel();
    two.cancel();
    await clock.runTo(1000);
    one.cancel();
    expect(expired).toEqual(["one", "three"]);
  });

  test("that an expiry sets expire, too", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const expiredAt: number[] = [];
    const again = {
      expire: () => {
        expiredAt.push(clock.now());
        if (expiredAt.length < 3) deadlines.after(50, again, clock.now());
      },
    };
    deadlines.after(50, again, 0);
    await clock.runTo(1000);
    expect(expiredAt).toEqual([50, 100, 150]);
  });

  test("with 200,000 different timeouts leave no memory behind once they are cancelled", () => {
    const deadlines = new Deadlines(new FakeClock());
    const cancelMany = (): void => {
      for (let name = 0; name < 200_000; name++)
        deadlines.after(60_000 + Math.random(), { expire: () => {} }, 0).cancel();
    };
    cancelMany();
    const before = heapUsed();
    cancelMany();
    expect(heapUsed() - before).toBeLessThan(2 ** 21);
    deadlines.close();
  });

  test("are the right ones, whichever of thousands are cancelled at whichever time", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const [expired, expected]: [number[], number[]] = [[], []];
    const open: (() => void)[] = [];
    for (let name = 0; name < 5000; name++) {
      await clock.runTo(name / 10);
      const deadline = deadlines.after(100, { expire: () => expired.push(name) }, clock.now());
      if (name % 7 === 0) expected.push(name);
      else open.push(() => deadline.cancel());
      // Some are cancelled at once, others after hundreds of later ones were set.
      if (name % 3 === 0) open.shift()?.();
      if (open.length > 600) for (const cancel of open.splice(0)) cancel();
    }
    for (const cancel of open) cancel();
    await clock.runTo(1000);
    expect(expired).toEqual(expected);
  });

  test("leave no memory behind once they are cancelled, also if an earlier one is not", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    let expired = 0;
    const cancelMany = (): void => {
      for (let name = 0; name < 300_000; name++)
        deadlines.after(100, { expire: () => {} }, name / 1e6).cancel();
    };
    deadlines.after(100, { expire: () => expired++ }, 0);
    cancelMany();
    const before = heapUsed();
    cancelMany();
    expect(heapUsed() - before).toBeLessThan(2 ** 20);
    await clock.runTo(101);
    expect(expired).toBe(1);
    expect(clock.armed).toBe(0);
  });

  test("that an expiry sets among many cancelled ones expire", async () => {
    const clock = new FakeClock();
    const deadlines = new Deadlines(clock);
    const expired: number[] = [];
    const setMany = (): void => {
      // Sets 100 ms last: the queue of this timeout is empty now, and has been dropped meanwhile.
      for (let timeoutMs = 399; timeoutMs >= 100; timeoutMs--) {
        const expire = (): void => {
          expired.push(timeoutMs);
        };
        const deadline = deadlines.after(timeoutMs, { expire }, clock.now());
        if (timeoutMs % 50 !== 0) deadline.cancel();
      }
    };
    deadlines.after(100, { expire: setMany }, 0);
    await clock.runTo(1000);
    expect(expired).toEqual([100, 150, 200, 250, 300, 350]);
    expect(clock.armed).toBe(0);
  });
});

/** Returns the size of the heap in bytes after a garbage collection. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
