import { StopSignal } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { startRawServer, startServer } from "../../../http/test/servers.ts";
import { throwNull } from "./fixtures/throw-null.ts";
import { throwThis, untouchable } from "./fixtures/untouchable.ts";
import { iterationCounts, runScenario, startScenario } from "./run-scenario.ts";

const never = (): Promise<never> => new Promise(() => {});

describe("an iteration", () => {
  test.each([
    {
      how: "throws",
      exec: () => {
        throw new RangeError("no");
      },
      message: "RangeError: no",
    },
    { how: "rejects", exec: () => Promise.reject(new TypeError("no")), message: "TypeError: no" },
    {
      how: "throws null",
      exec: throwNull,
      message: "a value that is not an Error was thrown: null",
    },
    {
      how: "throws a value that throws whenever it is read",
      exec: () => throwThis(untouchable()),
      message: "a value that cannot be shown was thrown",
    },
    {
      how: "returns a promise with a `then` of its own, which throws",
      exec: () => Object.assign(Promise.resolve(), { then: () => throwThis(untouchable()) }),
      message: "a value that cannot be shown was thrown",
    },
    {
      how: "returns a value whose `then` cannot be read",
      exec: untouchable,
      message: "Error: gotcha",
    },
  ])("that $how fails, and the VU goes on", async ({ exec, message }) => {
    const { accounting, errors, metric } = await runScenario(exec, { vus: 2, iterations: 6 });
    expect(iterationCounts(accounting)).toEqual({ started: 6, completed: 0, failed: 6, interrupted: 0 });
    expect(errors()).toMatchObject([{ code: "TEST_THREW", count: 6, message, name: "readers" }]);
    expect(metric("iteration_failed")).toMatchObject({ trues: 6, samples: 6 });
    expect(metric("iterations")).toMatchObject({ total: 6 });
    expect(metric("iteration_duration")).toMatchObject({ count: 6 });
  });

  test("has an index of its own, and its VU's id and state", async () => {
    const seen: { index: number; indexInVu: number; vu: number; visits: number }[] = [];
    await runScenario(
      async ({ vu, iteration, sleep }) => {
        const visits = Number(vu.state["visits"] ?? 0) + 1;
        vu.state["visits"] = visits;
        seen.push({ ...iteration, vu: vu.id, visits });
        await sleep(1);
      },
      { vus: 3, iterations: 30 },
    );
    expect(seen.map(({ index }) => index).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 30 }, (_, index) => index),
    );
    expect(new Set(seen.map(({ vu }) => vu))).toEqual(new Set([1, 2, 3]));
    for (const { indexInVu, visits } of seen) expect(visits).toBe(indexInVu + 1);
  });

  test("ends when the requests that it started have settled, awaited or not", async () => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end(), 40));
    const { accounting, metric } = await runScenario(({ http }) => void http.batch(["/a", "/b", "/c"]), {
      baseUrl: server.url,
      iterations: 2,
    });
    expect(iterationCounts(accounting)).toMatchObject({ completed: 2 });
    expect(metric("http_reqs")).toMatchObject({ total: 6 });
    const duration = metric("iteration_duration");
    expect(duration?.type === "trend" ? duration.min : 0).toBeGreaterThanOrEqual(39_000);
  });

  test("ends only after the redirects of a request that is not awaited", async () => {
    const server = await startServer((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step < 3) response.writeHead(302, { location: `/${step + 1}` });
      setTimeout(() => response.end(), 10);
    });
    const { accounting, metric } = await runScenario(({ http }) => void http.get("/0", { name: "chain" }), {
      baseUrl: server.url,
    });
    expect(accounting.requests()).toMatchObject([{ name: "chain", started: 4, succeeded: 4 }]);
    expect(metric("http_reqs")).toMatchObject({ total: 4 });
    expect(server.lines).toEqual(["GET /0", "GET /1", "GET /2", "GET /3"]);
  });

  test("that throws still waits for its requests", async () => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end(), 30));
    const { accounting, metric } = await runScenario(
      ({ http }) => {
        void http.get("/");
        throw new Error("early");
      },
      { baseUrl: server.url },
    );
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1 });
    expect(metric("http_reqs")).toMatchObject({ total: 1 });
  });
});

describe("a run that stops", () => {
  test("gracefully lets iterations end by themselves, and starts no more", async () => {
    const { run, ended, accounting } = startScenario(({ sleep }) => sleep(80), { vus: 4, iterations: 1000 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    run.stop("graceful");
    await ended;
    expect(iterationCounts(accounting)).toEqual({ started: 4, completed: 4, failed: 0, interrupted: 0 });
    expect(accounting.get("vusActive")).toBe(0);
  });

  test("interrupts iterations that outlast its graceful stop", async () => {
    const { run, ended, accounting, metric } = startScenario(({ sleep }) => sleep(60_000), {
      vus: 2,
      iterations: 10,
      gracefulStop: 50,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    run.stop("graceful");
    await ended;
    expect(iterationCounts(accounting)).toEqual({ started: 2, completed: 0, failed: 0, interrupted: 2 });
    expect(metric("iterations")).toBeUndefined();
    expect(metric("iteration_failed")).toBeUndefined();
  });

  test("by itself when its time is over", async () => {
    const { accounting } = await runScenario(({ sleep }) => sleep(20), {
      iterations: 100_000,
      maxDuration: 100,
    });
    const { started, completed } = iterationCounts(accounting);
    expect(started).toBe(completed);
    expect(started).toBeGreaterThan(0);
    expect(started).toBeLessThan(100);
  });

  test("hard gives up iterations that never settle", async () => {
    const { run, ended, accounting } = startScenario(never, { vus: 3, iterations: 3 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    run.stop("hard");
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ started: 3, interrupted: 3 });
  });

  test("hard also interrupts iterations that wrap the stop signal, or catch it and go on to the next request", async () => {
    const server = await startRawServer(() => {});
    const wrapping = startScenario(
      async ({ http }) => {
        try {
          await http.get("/");
        } catch (cause) {
          throw new Error("the login failed", { cause });
        }
      },
      { baseUrl: server.url },
    );
    const stubborn = startScenario(
      async ({ http }) => {
        await http.get("/").catch(() => null);
        await http.get("/");
      },
      { baseUrl: server.url },
    );
    while (server.heads.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { run } of [wrapping, stubborn]) run.stop("hard");
    for (const { ended, accounting, errors } of [wrapping, stubborn]) {
      await ended;
      expect(iterationCounts(accounting)).toMatchObject({ started: 1, interrupted: 1, failed: 0 });
      expect(accounting.requests()).toMatchObject([{ started: 1, sent: 1, interrupted: 1 }]);
      expect(errors()).toEqual([]);
    }
  });

  test("hard aborts the signal, and does not take every error after it for an interruption", async () => {
    const reasons: unknown[] = [];
    const { run, ended, accounting, errors } = startScenario(async ({ signal }) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          resolve();
        });
      });
      reasons.push(signal.reason);
      throw new TypeError("a mistake of its own");
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    run.stop("hard");
    await ended;
    expect(reasons[0]).toBeInstanceOf(StopSignal);
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1, interrupted: 0 });
    expect(errors()).toMatchObject([{ message: "TypeError: a mistake of its own" }]);
  });

  test.each<{ what: string; call: (context: AnyContext) => Promise<unknown> }>([
    { what: "http", call: ({ http }) => http.get("/") },
    { what: "http.fetch", call: ({ http }) => http.fetch("/") },
    { what: "sleep", call: ({ sleep }) => sleep(5) },
  ])("interrupts code that catches every error of $what, and tries again", async ({ call }) => {
    const server = await startServer((_request, response) => void response.end());
    let calls = 0;
    const { run, ended, accounting } = startScenario(
      async (context) => {
        // A thread that is blocked for longer than this would never notice the end of the iteration.
        const untilMs = performance.now() + 2_000;
        while (performance.now() < untilMs) {
          calls++;
          await call(context).catch(() => null);
        }
      },
      { baseUrl: server.url },
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    run.stop("hard");
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ completed: 0, failed: 0, interrupted: 1 });
    const callsAtEnd = calls;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls - callsAtEnd, "calls of the abandoned code").toBeLessThanOrEqual(1);
  });

  test("by itself interrupts and counts requests that began after their iteration had ended", async () => {
    const server = await startRawServer(() => {});
    const { ended, accounting, errors } = startScenario(
      async ({ http, sleep, iteration }) => {
        if (iteration.index === 0) setTimeout(() => void http.get("/").catch(() => null), 10);
        else while (server.heads.length === 0) await sleep(5);
      },
      { baseUrl: server.url, vus: 2, iterations: 2 },
    );
    await ended;
    expect(iterationCounts(accounting)).toEqual({ started: 2, completed: 2, failed: 0, interrupted: 0 });
    expect(accounting.requests()).toMatchObject([
      { started: 1, sent: 1, succeeded: 0, failed: 0, interrupted: 1 },
    ]);
    expect(errors()).toEqual([]);
  });

  test("again after its end keeps its outcome", async () => {
    const outcome = await runScenario(({ sleep }) => sleep(1), { vus: 2, iterations: 4 });
    outcome.run.stop("graceful");
    outcome.run.stop("hard");
    expect(iterationCounts(outcome.accounting)).toEqual({
      started: 4,
      completed: 4,
      failed: 0,
      interrupted: 0,
    });
    expect(outcome.accounting.get("vusActive")).toBe(0);
  });

  test("before it began starts nothing", async () => {
    const { run, ended, accounting } = startScenario(() => {});
    run.stop("graceful");
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ started: 0 });
  });

  test("by `abort` counts the iteration that called it as interrupted, and reports the reason", async () => {
    const { accounting, aborts, errors } = await runScenario(({ abort }) => abort("out of users"));
    expect(aborts).toEqual(["out of users"]);
    expect(iterationCounts(accounting)).toMatchObject({ started: 1, interrupted: 1 });
    expect(errors()).toEqual([]);
  });
});
