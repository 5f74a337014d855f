import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { dropReasons } from "./drop-reasons.ts";
import { expectBalanced, sum } from "./expect-balanced.ts";
import { readResult, runForResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Starts a server that answers at once, but is frozen for `frozenMs`, `fromMs` after the first request. */
function freezing(fromMs: number, frozenMs: number) {
  let firstMs: number | null = null;
  return startServer((_request, response) => {
    const nowMs = performance.now();
    firstMs ??= nowMs;
    const sinceMs = nowMs - firstMs - fromMs;
    const waitMs = sinceMs > 0 && sinceMs < frozenMs ? frozenMs - sinceMs : 0;
    setTimeout(() => response.end("hello\n"), waitMs);
  });
}

const testOf = (url: string, onBusy: string): string => `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: {
    visits: {
      executor: "constant-arrival-rate", rate: 200, duration: "3s", maxVUs: 10, onBusy: "${onBusy}",
      exec: ({ http }) => http.get("/"),
    },
  },
});`;

test("a server that is frozen for a while loses no queued iteration, and no waiting is hidden", async () => {
  const server = await freezing(1000, 800);
  const { exitCode, result } = await runForResult([
    "run",
    writeTest(testOf(server.url, "queue")),
    "--workers",
    "2",
  ]);
  expect(exitCode).toBe(0);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({
    scheduled: 600,
    started: 600,
    completed: 600,
    dropped: 0,
  });
  expect(server.total()).toBe(600);
  expect(sum(result, "sent")).toBe(600);
  const response = result.metrics["http_req_response_time"];
  const waited = result.metrics["vu_wait"];
  const duration = result.metrics["http_req_duration"];
  if (response?.type !== "trend" || waited?.type !== "trend" || duration?.type !== "trend")
    throw new Error("metrics are missing");
  // Frozen for S within T: latency(q) ≈ S − (1 − q)·T, at q = 0.9: 800 − 300 = 500 ms.
  expect(response.values["p(90)"]).toBeGreaterThan(350);
  expect(response.values.max).toBeGreaterThan(700);
  expect(waited.values["p(90)"]).toBeGreaterThan(350);
  // Only the ten requests in flight saw the freeze; a closed loop would have shown these alone.
  expect(duration.values["p(90)"]).toBeLessThan((response.values["p(90)"] ?? 0) / 2);
});

test("the same load without a queue drops iterations that find no VU, and says how many", async () => {
  const server = await freezing(1000, 800);
  const file = writeTest(testOf(server.url, "drop"));
  const { result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expectBalanced(result);
  const { scheduled, started, dropped } = result.accounting.iterations;
  expect(scheduled).toBe(600);
  expect(dropped).toBeGreaterThan(80);
  // Iterations are late only on a machine so busy that it wakes 100 ms after the end.
  const { busy = 0, late = 0 } = dropReasons(result);
  expect(busy).toBeGreaterThan(80);
  expect(busy + late).toBe(dropped);
  // The ten VUs spent nearly all of their time on the frozen requests, despite the many quick ones before.
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `${busy} iterations were dropped: all VUs were busy. They spent most of their time waiting`,
  );
  expect(server.total()).toBe(started);
});

test("iterations still queued when the run is stopped are dropped, and running ones end", async () => {
  let answer: () => void = () => undefined;
  const frozen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = await startServer((_request, response) => void frozen.then(() => response.end()));
  const path = `${temporaryFolder()}/result.json`;
  const file = writeTest(testOf(server.url, "queue").replace("3s", "60s"));
  const run = startBearhug(["run", file, "--workers", "2", "--out", `json=${path}`]);
  while (server.total() < 10) await delay(20);
  await delay(500);
  run.child.kill("SIGINT");
  await delay(300);
  answer();
  const ended = await run;
  expect(ended.exitCode).toBe(105);
  const result = readResult(path, ended);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ started: 10, completed: 10, interrupted: 0 });
  const { dropped } = result.accounting.iterations;
  expect(dropped).toBeGreaterThan(50);
  expect(dropReasons(result)).toEqual({ stopped: dropped });
  expect(server.total()).toBe(10);
});
