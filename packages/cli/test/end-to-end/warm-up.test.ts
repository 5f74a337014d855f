import { setTimeout as delay } from "node:timers/promises";

import type { TestResult } from "@bearhug/sdk";
import type { RequestAccounting } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import {
  readResult,
  runForResult,
  runBearhug,
  startBearhug,
  temporaryFolder,
  writeTest,
} from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const total = (requests: readonly RequestAccounting[], of: "sent" | "started" | "interrupted"): number =>
  requests.reduce((all, request) => all + request[of], 0);

/** Expects that the accounts of the warm-up balance, and that each request is in exactly one account. */
function expectWarmupBalanced(result: TestResult, servedRequests: number): void {
  const { warmup } = result.accounting;
  if (warmup === null) throw new Error("there is no account of the warm-up");
  const { scheduled, started, completed, failed, interrupted, dropped, lost } = warmup.iterations;
  expect(scheduled).toBe(started + dropped);
  expect(started).toBe(completed + failed + interrupted + lost);
  for (const request of warmup.requests)
    expect(request.started).toBe(request.succeeded + request.failed + request.interrupted + request.lost);
  expect(total(warmup.requests, "sent") + sum(result, "sent")).toBe(servedRequests);
  expectBalanced(result);
}

test("a warm-up is applied and accounted, and nothing of it is measured", async () => {
  let firstMs: number | null = null;
  // The target is slow and wrong for the first second, so a measured warm-up could not be missed.
  const server = await startServer((_request, response) => {
    firstMs ??= performance.now();
    const isCold = performance.now() - firstMs < 1000;
    response.statusCode = isCold ? 503 : 200;
    setTimeout(() => response.end("hello\n"), isCold ? 900 : 2);
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  metrics: { orders: { type: "counter" } },
  warmup: "2s",
  scenarios: {
    visits: {
      executor: "constant-arrival-rate", rate: 50, duration: "4s", maxVUs: 200,
      exec: async ({ http, check, metrics, page, iteration }) => {
        await page("home", async () => {
          const response = await http.get("/");
          check(response, { "is fine": (r) => r.status === 200 });
        });
        metrics.orders.add(1);
        if (iteration.index === 0) throw new Error("cold");
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate==0", { threshold: "rate<1%", abortOnFail: true }],
    http_req_duration: ["max<800ms"],
    http_req_response_time: ["max<800ms"],
    checks: ["rate==1"],
    orders: ["count==100"],
    pages: ["count==100"],
    iteration_failed: ["rate==0"],
    dropped_iterations: [{ threshold: "count==0", allowEmpty: true }],
  },
});`);
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode, stdout).toBe(0);
  expect(result.plan.warmupMs).toBe(2000);
  expectWarmupBalanced(result, server.total());
  expect(result.accounting.iterations).toMatchObject({ scheduled: 100, completed: 100 });
  expect(result.accounting.warmup?.iterations).toMatchObject({ scheduled: 100, completed: 99, failed: 1 });
  expect(server.total()).toBe(200);
  expect(result.metrics["http_reqs"]).toMatchObject({ values: { count: 100 } });
  expect(result.checks).toMatchObject([{ name: "is fine", passes: 100, fails: 0 }]);
  expect(result.errors).toEqual([]);
  const counted = result.series.filter(
    ({ metric, tags }) => metric === "http_reqs" && tags["status"] !== undefined,
  );
  expect(counted.every(({ tags }) => tags["status"] === "200")).toBe(true);
  const inIntervals = result.intervals.reduce((all, { http_reqs }) => all + http_reqs, 0);
  expect(inIntervals).toBe(100);
  expect(result.durationMs).toBeGreaterThan(1900);
  expect(result.durationMs).toBeLessThan(3900);
});

test("an iteration that straddles the end of the warm-up belongs to it as a whole", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 600));
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    slow: {
      executor: "per-vu-iterations", vus: 3, iterations: 2,
      exec: async ({ http }) => { await http.get("/first"); await http.get("/second"); },
    },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--warmup", "1s", "--workers", "2"]);
  expect(exitCode).toBe(0);
  expectWarmupBalanced(result, 12);
  expect(server.total()).toBe(12);
  // The first round began at 0 and ended at 1.2 s.
  expect(result.accounting.warmup?.iterations).toMatchObject({ completed: 3 });
  expect(result.accounting.iterations).toMatchObject({ completed: 3 });
  expect(result.metrics["http_reqs"]).toMatchObject({ values: { count: 6 } });
});

test.for(["queue", "drop"])(
  "iterations that were due in the warm-up belong to it, even if they are served or dropped later (%s)",
  async (onBusy) => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end(), 80));
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "1s",
  scenarios: {
    till: {
      executor: "constant-arrival-rate", rate: 20, duration: "2s", maxVUs: 1, onBusy: "${onBusy}",
      exec: ({ http }) => http.get("/"),
    },
  },
});`);
    const { exitCode, result } = await runForResult(["run", file]);
    // On a busy machine, more is dropped than the queue would.
    if (onBusy === "drop") expect(exitCode).toBe(99);
    expectWarmupBalanced(result, server.total());
    // At 80 ms each, one VU serves 12 of 20 arrivals in a second: the queue reaches far into the load.
    expect(result.accounting.warmup?.iterations.scheduled).toBe(20);
    expect(result.accounting.iterations.scheduled).toBe(20);
    const dropped = result.accounting.iterations.dropped;
    const metric = result.metrics["dropped_iterations"];
    expect(metric?.type === "counter" ? metric.values.count : 0).toBe(dropped);
    if (onBusy === "drop") expect(dropped).toBeGreaterThan(3);
    else expect(dropped).toBe(0);
  },
);

test("SIGINT within the warm-up ends the run gracefully, with accounts that balance", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 20));
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "30s",
  scenarios: { visits: { executor: "constant-vus", vus: 4, duration: "60s", exec: ({ http }) => http.get("/") } },
  thresholds: { http_req_failed: ["rate<1%"] },
});`);
  const path = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", file, "--workers", "2", "--out", `json=${path}`]);
  while (server.total() < 20) await delay(20);
  run.child.kill("SIGINT");
  const ended = await run;
  expect(ended.exitCode, ended.stderr).toBe(105);
  const result = readResult(path, ended);
  expectWarmupBalanced(result, server.total());
  expect(result.accounting.iterations).toMatchObject({ scheduled: 0, started: 0 });
  expect(result.accounting.warmup?.iterations.completed).toBeGreaterThanOrEqual(20);
  expect(result.metrics["http_reqs"]?.type === "counter" ? result.metrics["http_reqs"].values.count : 0).toBe(
    0,
  );
  expect(result.durationMs).toBe(0);
});

test("a counted load that ends within its warm-up fails, because nothing was measured", async () => {
  const server = await startServer();
  const options = ["-n", "20", "-c", "2", "--warmup", "30s"];
  const { exitCode, result } = await runForResult([`${server.url}/`, ...options]);
  expect(exitCode).toBe(99);
  expect(result.messages).toEqual(["nothing was measured: the load ended during its warm-up"]);
  expectWarmupBalanced(result, 20);
});

test("virtual users that hang from the warm-up on fail the run, although the rest of the load is fine", async () => {
  const server = await startServer((request, response) => {
    if (request.url === "/") setTimeout(() => response.end("hello\n"), 2);
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "constant-vus", vus: 2, duration: "3s", gracefulStop: "500ms" } as const;
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "1s",
  thresholds: { http_req_failed: ["rate<1%"] },
  scenarios: {
    half: { ...load, exec: async ({ http, vu, sleep }) => { await http.get(vu.index === 0 ? "/hangs" : "/"); await sleep("20ms"); } },
    fine: { ...load, exec: async ({ http, sleep }) => { await http.get("/"); await sleep("20ms"); } },
    early: { executor: "shared-iterations", iterations: 3, exec: ({ http }) => http.get("/") },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(99);
  expect(result.messages).toEqual([
    expect.stringMatching(
      /^the planned load was not reached: the virtual users of half lost (4\d|5\d)[.\d]* % of their time/,
    ),
  ]);
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([true]);
  expect(result.notes).toEqual([
    expect.stringMatching(
      /^nothing of scenario early at .* was measured: none of its iterations began after/,
    ),
  ]);
});

test("a feed that ends the load early is noted, although the warm-up used some of its rows", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest, rows } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "500ms",
  feeds: { users: rows([...Array(100).keys()].map((id) => ({ id })), { atEnd: "stop" }) },
  scenarios: { s: { executor: "constant-vus", vus: 2, duration: "30s", exec: async ({ http, feeds, sleep }) => {
    await http.get("/", { params: { id: feeds.users.next().id } }); await sleep("20ms");
  } } },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(0);
  expect(result.accounting.warmup?.iterations.completed).toBeGreaterThan(0);
  expect(result.durationMs).toBeLessThan(20_000);
  expect(result.notes).toEqual([
    'scenario s ended after 100 iterations, because feed users has atEnd: "stop" and its 100 rows were used up',
  ]);
});

test("an error that a test leaves behind in the warm-up is not counted in the load", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "1s",
  scenarios: {
    visits: {
      executor: "constant-arrival-rate", rate: 20, duration: "2s",
      exec: async ({ http, iteration }) => {
        if (iteration.index === 2) void Promise.reject(new Error("left behind in the warm-up"));
        if (iteration.index === 30) void Promise.reject(new Error("left behind in the load"));
        await http.get("/");
      },
    },
  },
});`);
  const { exitCode, result, stderr } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode, stderr).toBe(0);
  expect(result.errors.map(({ message }) => message)).toEqual(["Error: left behind in the load"]);
  expectWarmupBalanced(result, 40);
});

test("a warm-up that leaves nothing to measure is refused, exit 104", async () => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  warmup: "1s",
  scenarios: { visits: { executor: "constant-vus", duration: "2s", exec: () => {} } },
});`);
  for (const warmup of ["2s", "1h"]) {
    const { exitCode, stderr } = await runBearhug(["run", file, "--warmup", warmup]);
    expect(exitCode).toBe(104);
    expect(stderr).toContain("so nothing would be measured");
  }
});

test("a client that a virtual user kept from the warm-up counts its later requests in the load", async () => {
  const server = await startServer((_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "1s",
  scenarios: {
    visits: {
      executor: "constant-vus", vus: 2, duration: "2s",
      exec: async ({ http, vu, sleep, page }) => {
        vu.state.http ??= http;
        await page("home", () => vu.state.http.get("/"));
        await sleep("20ms");
      },
    },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(99);
  expect(result.messages.join()).toContain("no request succeeded");
  expectWarmupBalanced(result, server.total());
  expect(sum(result, "failed")).toBeGreaterThan(0);
  expect(result.metrics["http_reqs"]).toMatchObject({ values: { count: sum(result, "failed") } });
});
