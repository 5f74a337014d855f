import type { AnyContext } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { throwThis, untouchable } from "./fixtures/untouchable.ts";
import { iterationCounts, runScenario } from "./run-scenario.ts";

const reject = (): Promise<never> => Promise.reject(new Error("came to nothing"));

describe("checks", () => {
  test("count as held or failed, and as failed if they throw", async () => {
    const results: boolean[] = [];
    const { metric } = await runScenario(({ check }) => {
      results.push(
        check({ status: 200 }, { ok: (one) => one.status === 200, small: (one) => one.status < 100 }),
        check(null, {
          throws: () => {
            throw new Error("in a check");
          },
        }),
        check(1, { one: (value) => value === 1 }),
      );
    });
    expect(results).toEqual([false, false, true]);
    expect(metric("checks")).toMatchObject({ trues: 2, samples: 4 });
    expect(metric("checks{check:throws}")).toMatchObject({ trues: 0, samples: 1 });
  });

  test("hold if their result is truthy, and fail if it is falsy", async () => {
    const results: boolean[] = [];
    const { metric } = await runScenario(({ check }) => {
      for (const given of ["text", 7, {}, [], "", 0, null, undefined, NaN])
        results.push(check(given, { is: (value) => value as never }));
    });
    expect(results).toEqual([true, true, true, true, false, false, false, false, false]);
    expect(metric("checks")).toMatchObject({ trues: 4, samples: 9 });
  });

  test("may be plain values: true holds, false and undefined do not", async () => {
    const found: { readonly ok?: boolean } = {};
    const results: boolean[] = [];
    await runScenario(({ check }) => {
      results.push(check(null, { ordered: true }), check(null, { ordered: false }));
      results.push(check(found, { ok: (value) => value.ok }), check(null, { ok: found.ok }));
    });
    expect(results).toEqual([true, false, false, false]);
  });

  test("that throw are reported with their first exception, and how often they threw", async () => {
    const { checkFaults } = await runScenario(
      ({ check, page, iteration }) =>
        page("home", () => {
          check(iteration.index, {
            "is odd": (index) => index % 2 === 1 || throwThis(new RangeError(`${index} is even`)),
            "is read": () => throwThis(untouchable()),
            "is there": () => true,
            "is written": undefined,
          });
        }),
      { iterations: 4 },
    );
    const place = { scenario: "readers", page: "home", position: null };
    expect(checkFaults()).toMatchObject([
      { ...place, check: "is odd", count: 2, message: "RangeError: 0 is even" },
      {
        ...place,
        check: "is read",
        count: 4,
        message: "a value that cannot be shown was thrown",
      },
      {
        ...place,
        check: "is written",
        count: 4,
        message: "TypeError: The check is undefined: give true, false or a function.",
      },
    ]);
    expect(checkFaults()).toEqual([]);
  });

  test.each([
    [{}, "check got an object without checks: give an object of named checks"],
    [[() => true], "check got an array in place of checks"],
    [() => true, "check got a function in place of checks"],
    [undefined, "check got undefined in place of checks"],
  ])("in a call without any are a fault of the test: %s", async (checks, message) => {
    const { accounting, errors } = await runScenario(({ check }) => void check(1, checks as never));
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1, completed: 0 });
    expect(errors()[0]?.message).toContain(message);
  });

  const returned = 'check "later on" returned a promise';
  const given = 'check "later on", "too" got a promise: await the request first';
  test.each([
    { what: "that return a promise", result: () => Promise.resolve(true), message: returned },
    { what: "that never settle", result: () => new Promise(() => undefined), message: returned },
    { what: "that return a thenable", result: () => ({ then: () => undefined }), message: returned },
    { what: "of a promise", value: () => Promise.resolve(1), message: given },
    { what: "of a thenable", value: () => ({ then: () => undefined }), message: given },
  ])("$what are a fault of the test: the iteration fails", async ({ value, result, message }) => {
    const { metric, accounting, errors } = await runScenario(({ check }) => {
      check(value?.(), { "later on": () => result?.() as never, too: () => true });
    });
    expect(iterationCounts(accounting)).toMatchObject({ started: 1, failed: 1, completed: 0 });
    expect(errors()).toMatchObject([{ code: "TEST_THREW", count: 1 }]);
    expect(errors()[0]?.message).toContain(message);
    expect(metric("checks")).toBeUndefined();
  });

  test.each([
    { what: "result", exec: ({ check }: AnyContext) => check(1, { late: () => reject() as never }) },
    { what: "value", exec: ({ check }: AnyContext) => check(reject(), { late: () => true }) },
  ])("report by name why a promise that is their $what was rejected", async ({ exec }) => {
    const { errors } = await runScenario(exec);
    expect(errors()).toMatchObject([
      { code: "TEST_THREW", name: "readers" },
      { code: "UNHANDLED_REJECTION", name: "readers", count: 1 },
    ]);
    expect(errors()[1]?.message).toBe('the promise of check "late" was rejected: Error: came to nothing');
  });

  test("are all made, even after one that failed", async () => {
    const made: string[] = [];
    await runScenario(({ check }) => {
      check(0, {
        first: () => made.push("first") === 0,
        second: () => made.push("second") === 2,
      });
    });
    expect(made).toEqual(["first", "second"]);
  });
});

describe("a test's own metrics", () => {
  test("record by their type, with tags", async () => {
    const { metric } = await runScenario(({ metrics }) => {
      const { basket_size, coupons_used, queue_length, found } = metrics;
      basket_size?.add(2.5);
      coupons_used?.add(3, { kind: "half" });
      coupons_used?.add(0);
      queue_length?.add(-4);
      found?.add(true as never);
    });
    expect(metric("basket_size")).toMatchObject({ count: 1, max: 2500 });
    expect(metric("coupons_used")).toMatchObject({ total: 3 });
    expect(metric("coupons_used{kind:half}")).toMatchObject({ total: 3, samples: 1 });
    expect(metric("queue_length")).toMatchObject({ value: -4 });
    expect(metric("found")).toMatchObject({ trues: 1 });
  });

  test.each([
    { name: "basket_size", value: NaN },
    { name: "basket_size", value: Infinity },
    { name: "basket_size", value: -1 },
    { name: "basket_size", value: 1e300 },
    { name: "basket_size", value: true },
    { name: "basket_size", value: "1" },
    { name: "queue_length", value: 3n },
    { name: "coupons_used", value: -1 },
    { name: "coupons_used", value: 1e308 },
    { name: "queue_length", value: NaN },
    { name: "queue_length", value: -1e308 },
    { name: "found", value: 2 },
    { name: "found", value: Symbol("s") },
    { name: "basket_size", value: Object.create(null) as unknown },
    { name: "basket_size", value: untouchable() },
    { name: "found", value: untouchable() },
  ])(
    "refuse a value that they cannot hold (%#, $name): the iteration fails, the metric stays as it was",
    async ({ name, value }) => {
      const { metric, accounting, errors } = await runScenario(({ metrics }) => {
        metrics[name]?.add(value as never);
      });
      expect(iterationCounts(accounting)).toMatchObject({ failed: 1 });
      expect(errors()[0]?.message).toContain(`metrics.${name} is a`);
      if (typeof value === "string") expect(errors()[0]?.message).toContain(`finite number, not "${value}"`);
      if (typeof value === "bigint") expect(errors()[0]?.message).toContain("finite number, not 3n.");
      // A declared counter without a sample is 0.
      expect(metric(name)).toEqual(
        name === "coupons_used" ? expect.objectContaining({ total: 0 }) : undefined,
      );
    },
  );
});

describe("the context of an iteration", () => {
  test("is the same in each iteration, and may be destructured", async () => {
    const seen: unknown[] = [];
    await runScenario(
      ({ env, scenario, data, random }) => {
        seen.push({ env, scenario, data });
        expect(random()).toBeLessThan(1);
      },
      { iterations: 2, data: { users: ["a"] } },
    );
    const given = {
      env: { REGION: "eu" },
      scenario: { name: "readers", executor: "shared-iterations" },
      data: { users: ["a"] },
    };
    expect(seen).toEqual([given, given]);
  });

  test("can be copied completely, with the parts that are made on first use", async () => {
    const copies: AnyContext[] = [];
    const { accounting } = await runScenario((context) => {
      const { tags, random, log, signal, http, vu } = context;
      const copy = { ...context, http: { ...http }, vu: { ...vu } };
      expect([copy.tags, copy.random, copy.log, copy.signal]).toEqual([tags, random, log, signal]);
      expect([context.tags, context.random, context.log]).toEqual([tags, random, log]);
      expect(copy.vu.state).toBe(vu.state);
      expect([http.cookies, http.cookies, typeof http.fetch]).toEqual([
        copy.http.cookies,
        http.cookies,
        "function",
      ]);
      expect(Object.keys(copy.http)).toEqual(
        expect.arrayContaining(["get", "fetch", "dispatcher", "cookies"]),
      );
      copies.push(copy);
    });
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0 });
    expect(copies).toHaveLength(1);
  });

  test("has data that cannot be changed", async () => {
    const { accounting } = await runScenario(({ data }) => (data as { users: string[] }).users.push("b"), {
      data: { users: ["a"] },
    });
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1 });
  });

  test("waits at least for a given time, or for the shortest of a range", async () => {
    const took: number[] = [];
    const timed = async (wait: () => Promise<void>): Promise<void> => {
      const began = performance.now();
      await wait();
      took.push(performance.now() - began);
    };
    await runScenario(async ({ sleep, think }) => {
      await timed(() => sleep("20ms"));
      await timed(() => think(15));
      await timed(() => think("5ms", "10ms"));
    });
    expect(took[0]).toBeGreaterThanOrEqual(20);
    expect(took[1]).toBeGreaterThanOrEqual(15);
    expect(took[2]).toBeGreaterThanOrEqual(5);
  });

  test("logs with the level and the origin of each line", async () => {
    const { logs } = await runScenario(({ log }) => {
      log("plain");
      log.warn("careful");
      log.error("broken");
    });
    const from = "readers, VU 1";
    expect(logs).toEqual([
      { level: "info", text: "plain", from },
      { level: "warn", text: "careful", from },
      { level: "error", text: "broken", from },
    ]);
  });

  test("logs and aborts with any value, as a text that can be copied to another thread", async () => {
    const given = [untouchable(), Symbol("s"), { a: 1 }, () => 1, undefined];
    const { logs, aborts, accounting } = await runScenario(
      ({ log, abort, iteration }) => {
        const value = given[iteration.index] as never;
        log(value);
        abort(value);
      },
      { iterations: given.length },
    );
    expect(logs.map(({ text }) => text).slice(1)).toEqual([
      "Symbol(s)",
      "{ a: 1 }",
      "[Function (anonymous)]",
      "undefined",
    ]);
    const reasons = ["(no text)", "Symbol(s)", "[object Object]", "() => 1", "no reason was given"];
    expect(aborts).toEqual(reasons);
    expect(iterationCounts(accounting)).toMatchObject({ interrupted: given.length });
  });
});

test("the signal of a context is the same in a copy of the context", async () => {
  let signals: readonly AbortSignal[] = [];
  await runScenario((context) => {
    const { signal } = context;
    signals = [signal, { ...context }.signal, context.signal];
  });
  expect(signals).toHaveLength(3);
  expect(signals[0]).toBeInstanceOf(AbortSignal);
  expect(new Set(signals).size).toBe(1);
});
