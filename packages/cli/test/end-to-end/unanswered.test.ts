import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { readResult, runForResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test file with this base URL and these fields. */
function testOf(baseUrl: string, fields: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${baseUrl}", ${fields} });`);
}

test("a target that never answers fails the run: every request failed, with the time that it had waited", async () => {
  const server = await startServer(() => {});
  const file = testOf(
    server.url,
    `scenarios: { all: { executor: "constant-vus", vus: 3, duration: "500ms", gracefulStop: "1500ms",
       exec: ({ http }) => http.get("/") } }`,
  );
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode, stdout).toBe(99);
  expect(result.verdict).toBe("failed");
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({
    started: 3,
    completed: 0,
    failed: 3,
    interrupted: 0,
  });
  expect(sum(result, "failed")).toBe(3);
  expect(sum(result, "sent")).toBe(server.total());
  expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 1, passes: 3 } });
  expect(result.metrics["iteration_failed"]).toMatchObject({ values: { rate: 1 } });
  const duration = result.metrics["http_req_duration"];
  expect(duration).toMatchObject({ values: { count: 3 } });
  expect(duration?.type === "trend" ? duration.values.min : 0).toBeGreaterThanOrEqual(1500);
  expect(result.errors).toMatchObject([{ code: "UNANSWERED", count: 3, name: "GET /" }]);
});

test("a one-liner waits 2 s for a target that hangs; a bare number is a duration in seconds", async () => {
  const server = await startServer(() => {});
  const { exitCode, result } = await runForResult([server.url, "-c", "3", "-d", "1"]);
  expect(exitCode).toBe(99);
  expect(result.plan.scenarios).toMatchObject([{ description: "3 VUs for 1 s" }]);
  expect(result.errors).toMatchObject([{ code: "UNANSWERED", count: 3 }]);
  // By default, a test would wait for 30 s.
  expect(result.durationMs).toBeGreaterThanOrEqual(3000);
  expect(result.durationMs).toBeLessThan(20_000);
});

test("a target that dies half-way meets only thresholds that its unanswered requests cannot break", async () => {
  let answered = 0;
  const server = await startServer((_request, response) => {
    if (answered++ < 40) response.end();
  });
  const file = testOf(
    server.url,
    `scenarios: { all: { executor: "constant-arrival-rate", rate: 50, duration: "3s", maxVUs: 10, gracefulStop: "1500ms",
       exec: ({ http }) => http.get("/") } },
     thresholds: { http_req_failed: ["rate<1%", { threshold: "rate<10%", window: "1s" }], iteration_failed: ["rate<1%"], http_req_duration: ["p(95)<1m", "med<1m", "p(95)>1s"] }`,
  );
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(99);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({
    scheduled: 150,
    completed: 40,
    failed: 10,
    interrupted: 0,
  });
  expect(sum(result, "failed")).toBe(10);
  expect(sum(result, "sent")).toBe(server.total());
  expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 0.2 } });
  expect(result.metrics["iteration_failed"]).toMatchObject({ values: { rate: 0.2 } });
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([false, false, false, false, true, true]);
  expect(result.thresholds.map(({ censoredSamples = 0 }) => censoredSamples)).toEqual([0, 0, 0, 10, 0, 10]);
  expect(result.metrics["http_req_duration"]).toMatchObject({ censored: { samples: 10 } });
  const duration = result.metrics["http_req_duration"];
  expect(duration?.type === "trend" ? duration.lowerBounds : []).toEqual(
    expect.arrayContaining(["avg", "max", "p(90)", "p(95)", "p(99)", "p(99.9)"]),
  );
  expect(duration?.type === "trend" ? duration.lowerBounds : []).not.toContain("med");
  expect(result.messages.join("\n")).toMatch(
    /http_req_duration: p\(95\)<1m \(was at least \d+(\.\d+)? m?s: 10 of 50 requests never got a complete response\)/,
  );
  expect(stdout).toMatch(/http_req_duration +\d\S* +≥\S+ +\d\S* +≥\S+ +≥\S+ +≥\S+ +≥\S+/);
});

test("an iteration that hangs past gracefulRampDown has failed", async () => {
  const server = await startServer((request, response) => {
    if (request.url !== "/stuck") setTimeout(() => response.end(), 20);
  });
  const file = testOf(
    server.url,
    `scenarios: { ramp: { executor: "ramping-vus", startVUs: 4, gracefulRampDown: "1200ms",
       stages: [{ duration: "700ms", target: 4 }, { duration: 0, target: 2 }, { duration: "2s", target: 2 }],
       exec: ({ http, vu }) => http.get(vu.id > 2 ? "/stuck" : "/fine") } }`,
  );
  const { result } = await runForResult(["run", file, "--workers", "2"]);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ failed: 2, interrupted: 0 });
  const stuck = result.accounting.requests.find(({ name }) => name === "GET /stuck");
  expect(stuck).toMatchObject({ started: 2, sent: 2, failed: 2, interrupted: 0 });
  expect(result.errors).toMatchObject([
    {
      code: "UNANSWERED",
      message: `${server.url} had not responded when gracefulRampDown (1200 ms) ran out`,
    },
  ]);
  expect(result.durationMs).toBeLessThan(20_000);
});

test("a name server that does not answer fails the requests that wait for it", async () => {
  const nameServer = createSocket("udp4").bind(0, "127.0.0.1");
  await once(nameServer, "listening");
  onTestFinished(() => void nameServer.close());
  const file = testOf(
    "http://nowhere.example",
    `http: { dns: { servers: ["127.0.0.1:${nameServer.address().port}"] } },
     scenarios: { all: { executor: "constant-vus", vus: 2, duration: "700ms", gracefulStop: "1200ms",
       exec: ({ http }) => http.get("/") } }`,
  );
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(99);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ started: 2, failed: 2, interrupted: 0 });
  expect(result.accounting.requests).toMatchObject([{ started: 2, sent: 0, failed: 2, interrupted: 0 }]);
  expect(result.metrics["http_req_duration"]).toBeUndefined();
  expect(result.errors).toMatchObject([
    {
      code: "UNANSWERED",
      message: "the host name of http://nowhere.example was not resolved when gracefulStop (1200 ms) ran out",
    },
  ]);
});

test("iterations that SIGINT ends are interrupted, however long they had hung", async () => {
  const server = await startServer(() => {});
  const file = testOf(
    server.url,
    `scenarios: { all: { executor: "constant-vus", vus: 3, duration: "60s", gracefulStop: "1200ms",
       exec: ({ http }) => http.get("/") } }`,
  );
  const path = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", file, "--workers", "2", "--out", `json=${path}`]);
  while (server.total() < 3) await delay(20);
  run.child.kill("SIGINT");
  const ended = await run;
  const result = readResult(path, ended);
  expect(ended.exitCode).toBe(105);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ started: 3, failed: 0, interrupted: 3 });
  expect(sum(result, "interrupted")).toBe(3);
  expect(result.metrics["http_reqs"]).toBeUndefined();
  expect(result.errors).toEqual([]);
});

test("iterations that `abort` ends are interrupted, however long they had hung", async () => {
  const server = await startServer(() => {});
  const file = testOf(
    server.url,
    `scenarios: {
       hangs: { executor: "constant-vus", vus: 2, duration: "60s", exec: ({ http }) => http.get("/") },
       ends: { executor: "shared-iterations", exec: async ({ sleep, abort }) => { await sleep("1300ms"); abort("enough"); } },
     }`,
  );
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(108);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ started: 3, failed: 0, interrupted: 3 });
  expect(result.metrics["http_reqs"]).toBeUndefined();
});
