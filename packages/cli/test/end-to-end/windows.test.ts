import { performance } from "node:perf_hooks";

import { expect, test } from "vitest";

import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test of one scenario at a constant rate, with these thresholds. */
function pacedTest(url: string, duration: string, thresholds: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: ${JSON.stringify(url)},
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: 40, duration: ${JSON.stringify(duration)}, maxVUs: 200,
      exec: async ({ http }) => { await http.get("/"); },
    },
  },
  thresholds: ${thresholds},
});`);
}

/** Starts a server that answers at once, but late from `fromMs` to `untilMs` after the first request. */
async function startSlowingServer(fromMs: number, untilMs: number, delayMs: number): Promise<string> {
  let firstMs: number | null = null;
  const { url } = await startServer((_request, response) => {
    const nowMs = performance.now();
    const sinceFirstMs = nowMs - (firstMs ??= nowMs);
    const isSlow = sinceFirstMs >= fromMs && sinceFirstMs < untilMs;
    setTimeout(() => void response.end("hello\n"), isSlow ? delayMs : 0);
  });
  return url;
}

test("a server that is slow for 3 s of 10 fails a window of 2 s, though the whole run passes; the report says when", async () => {
  const url = await startSlowingServer(4000, 7000, 600);
  const thresholds = `{ http_req_duration: ["p(50)<300ms", { threshold: "p(50)<300ms", window: "2s" }] }`;
  const { exitCode, stdout, result } = await runForResult(["run", pacedTest(url, "10s", thresholds)]);
  const [whole, windowed] = result.thresholds;
  expect(whole).toMatchObject({ passed: true, window: null });
  expect(windowed).toMatchObject({ passed: false, window: { widthMs: 2000 } });
  expect(windowed?.actual).toBeGreaterThan(300);
  // Slow responses arrive from 4.6 s to 7.6 s. A window fails if more than a second of it is in that period.
  expect(windowed?.window?.failedAtMs).toBeGreaterThanOrEqual(6000);
  expect(windowed?.window?.failedAtMs).toBeLessThanOrEqual(8000);
  expect(windowed?.samples).toBeLessThan(whole?.samples ?? 0);
  expect(exitCode).toBe(99);
  expect(stdout).toMatch(/in the 2 s up to [678] s/);
});

test("with abortOnFail a window ends the run in the second in which it failed", async () => {
  const url = await startSlowingServer(0, 60_000, 400);
  const thresholds = `{ http_req_duration: [{ threshold: "p(95)<100ms", window: "2s", abortOnFail: true }] }`;
  const { exitCode, stderr, result } = await runForResult(["run", pacedTest(url, "30s", thresholds)]);
  expect(exitCode).toBe(99);
  expect(stderr).toContain("http_req_duration: p(95)<100ms failed and ends the run early");
  expect(result.thresholds).toMatchObject([{ passed: false, window: { widthMs: 2000, failedAtMs: 2000 } }]);
  expect(result.durationMs).toBeLessThan(20_000);
});

test("windows cover every second of the load, and leave out the time in which the last responses arrive", async () => {
  const url = await startSlowingServer(0, 60_000, 1500);
  const thresholds = `{ iterations: [{ threshold: "count>=0", window: "1s" }], schedule_lag: [{ threshold: "count>=20", window: "1s" }] }`;
  const { exitCode, result } = await runForResult(["run", pacedTest(url, "4s", thresholds)]);
  expect(result.durationMs).toBeGreaterThan(5000);
  expect(result.thresholds).toMatchObject([
    { passed: true, actual: 0 },
    { passed: true, window: { widthMs: 1000, failedAtMs: null } },
  ]);
  expect(exitCode).toBe(0);
});

test("slow responses that arrive in the graceful stop count in the last full window", async () => {
  const url = await startSlowingServer(2500, 60_000, 3000);
  const thresholds = `{ http_req_duration: [{ threshold: "p(50)<1s", window: "2s" }], http_reqs: [{ threshold: "count<=90", window: "2s" }] }`;
  const { exitCode, stdout, result } = await runForResult(["run", pacedTest(url, "4s", thresholds)]);
  expect(result.thresholds).toMatchObject([
    { passed: false, window: { widthMs: 2000, failedAtMs: 4000 } },
    { passed: true, window: { widthMs: 2000, failedAtMs: null } },
  ]);
  expect(result.thresholds[0]?.actual).toBeGreaterThanOrEqual(3000);
  expect(exitCode).toBe(99);
  expect(stdout).toContain("in the 2 s up to 4 s");
});

test("a run that is shorter than the window is judged as one window", async () => {
  const { url } = await startServer();
  const thresholds = `{ http_reqs: [{ threshold: "count==40", window: "1m" }, { threshold: "count<40", window: "1m" }] }`;
  const { result } = await runForResult(["run", pacedTest(url, "1s", thresholds)]);
  expect(result.thresholds).toMatchObject([
    { passed: true, actual: 40, window: { widthMs: 60_000, failedAtMs: null } },
    { passed: false, actual: 40, window: { widthMs: 60_000, failedAtMs: result.durationMs } },
  ]);
});
