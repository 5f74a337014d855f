import { expect, test } from "vitest";

import { dropReasons } from "./drop-reasons.ts";
import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Loads for a server that answers in 5 ms; `iterations`: the least and the most that each may schedule. */
const executors = [
  { load: `executor: "constant-vus", vus: 5, duration: "1s"`, iterations: [20, 1000] },
  { load: `executor: "shared-iterations", vus: 5, iterations: 77`, iterations: [77, 77] },
  { load: `executor: "per-vu-iterations", vus: 5, iterations: 11`, iterations: [55, 55] },
  {
    load: `executor: "ramping-vus", startVUs: 1, gracefulRampDown: "1s",
           stages: [{ duration: "500ms", target: 6 }, { duration: "500ms", target: 0 }]`,
    iterations: [20, 1200],
  },
  { load: `executor: "constant-arrival-rate", rate: 120, duration: "1s"`, iterations: [120, 120] },
  {
    load: `executor: "constant-arrival-rate", rate: 120, duration: "1s", arrivals: "poisson"`,
    iterations: [60, 180],
  },
  {
    load: `executor: "ramping-arrival-rate", startRate: 20, timeUnit: "500ms",
           stages: [{ duration: "500ms", target: 100 }, { duration: 0, target: 40 }, { duration: "500ms", target: 40 }]`,
    iterations: [100, 100],
  },
  {
    load: `executor: "ramping-arrival-rate", stages: [{ duration: "1s", target: 300 }], maxVUs: 4, onBusy: "queue"`,
    iterations: [150, 150],
  },
];

test.for(executors)(
  "the server counts all requests of $load, and every index exists once",
  async ({ load, iterations: [least = 0, most = 0] }) => {
    const server = await startServer(
      (_request, response) => void setTimeout(() => response.end("hello\n"), 5),
    );
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    visits: { ${load}, exec: ({ http, iteration }) => http.get("/?i=" + iteration.index, { name: "visit" }) },
  },
});`);
    const { exitCode, result, stderr } = await runForResult(["run", file, "--workers", "3", "--seed", "7"]);
    expectBalanced(result);
    const { scheduled, completed, interrupted, dropped } = result.accounting.iterations;
    expect(interrupted).toBe(0);
    expect(scheduled).toBeGreaterThanOrEqual(least);
    expect(scheduled).toBeLessThanOrEqual(most);
    expect(completed).toBe(scheduled - dropped);
    // Iterations are dropped only on a machine so busy that it wakes 100 ms after the end. Over 5 % fail the run.
    expect(dropped).toBeLessThan(scheduled / 2);
    expect(exitCode, stderr).toBe(dropped > scheduled / 20 ? 99 : 0);
    expect(server.total()).toBe(sum(result, "sent"));
    expect(server.total()).toBe(completed);
    expect(server.counts.size).toBe(completed);
  },
);

test("iterations for which maxDuration leaves no time are dropped, and counted once over all workers", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 100));
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    shared: { executor: "shared-iterations", vus: 4, iterations: 500, maxDuration: "1s", exec: ({ http }) => http.get("/a") },
    each: { executor: "per-vu-iterations", vus: 4, iterations: 100, maxDuration: "1s", exec: ({ http }) => http.get("/b") },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "3"]);
  expect(exitCode).toBe(99);
  expect(result.messages).toEqual([
    expect.stringMatching(
      /^the planned load was not reached: .* of shared were dropped because maxDuration ran out/,
    ),
    expect.stringMatching(
      /^the planned load was not reached: .* of each were dropped because maxDuration ran out/,
    ),
  ]);
  expectBalanced(result);
  const { scheduled, completed, dropped } = result.accounting.iterations;
  expect(scheduled).toBe(900);
  expect(completed).toBeGreaterThan(8);
  expect(dropped).toBe(900 - completed);
  expect(dropReasons(result)).toEqual({ time: dropped });
  expect(server.total()).toBe(sum(result, "sent"));
});

test("iterations that outlast the graceful stop by less than a second are interrupted, not failed", async () => {
  const server = await startServer((request, response) => {
    if (request.url === "/quick") response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    stuck: {
      executor: "constant-arrival-rate", rate: 10, duration: "500ms", gracefulStop: "300ms",
      exec: ({ http }) => http.get("/stuck"),
    },
    ends: {
      executor: "constant-vus", vus: 2, duration: "1s", gracefulStop: "5s",
      exec: async ({ http, sleep }) => { await http.get("/quick"); await sleep("700ms"); },
    },
  },
});`);
  const { result } = await runForResult(["run", file, "--workers", "2"]);
  expectBalanced(result);
  const { started, completed, interrupted, failed } = result.accounting.iterations;
  expect({ started, interrupted, failed }).toEqual({ started: completed + 5, interrupted: 5, failed: 0 });
  // On a busy machine, there is no time for a second iteration of each virtual user.
  expect(completed).toBeGreaterThanOrEqual(2);
  const stuck = result.accounting.requests.find(({ name }) => name === "GET /stuck");
  expect(stuck).toMatchObject({ started: 5, sent: 5, interrupted: 5, failed: 0 });
  expect(server.counts.get("GET /stuck")).toBe(5);
  expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 0 } });
});

test("a ramp interrupts virtual users that outlast gracefulRampDown, while the others go on", async () => {
  const server = await startServer((request, response) => {
    if (!request.url?.startsWith("/stuck")) setTimeout(() => response.end(), 20);
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    ramp: {
      executor: "ramping-vus", startVUs: 4, gracefulRampDown: "200ms",
      stages: [{ duration: 0, target: 2 }, { duration: "1s", target: 2 }],
      exec: ({ http, vu }) => http.get(vu.id > 2 ? "/stuck" : "/fine"),
    },
  },
});`);
  const { result } = await runForResult(["run", file, "--workers", "2"]);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ interrupted: 2, failed: 0, dropped: 0 });
  expect(server.counts.get("GET /stuck")).toBe(2);
  expect(server.counts.get("GET /fine")).toBeGreaterThan(20);
  expect(result.durationMs).toBeLessThan(10_000);
});

test("rates are relative to the duration of a scenario, not to the time until its last iteration", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    few: { executor: "constant-arrival-rate", rate: 1, timeUnit: "2s", duration: "4s", exec: ({ http }) => http.get("/few") },
    gone: {
      executor: "ramping-vus", startVUs: 1, stages: [{ duration: "0s", target: 0 }, { duration: "4s", target: 0 }],
      exec: ({ http }) => http.get("/gone"),
    },
  },
  thresholds: { "http_reqs{scenario:few}": ["rate<0.52", "count==2"] },
});`);
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode, stdout).toBe(0);
  expect(result.durationMs).toBeGreaterThanOrEqual(4000);
  expectBalanced(result);
});
