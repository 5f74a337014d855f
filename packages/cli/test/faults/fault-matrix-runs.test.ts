import type { TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { expectBalanced } from "../end-to-end/expect-balanced.ts";
import { runForResult, writeTest } from "../end-to-end/run-bearhug.ts";
import { startRawHttp2Server } from "../../../http/test/http2/raw-http2-server.ts";
import { hasOpenssl } from "../../../http/test/make-certificate.ts";
import { connectionFaults } from "./connection-faults.ts";
import type { FaultRow } from "./fault-row.ts";
import { http2Faults, type Http2FaultRow } from "./http2-faults.ts";
import { malformedFaults } from "./malformed-faults.ts";
import { oddAnswers } from "./odd-answers.ts";
import { proxyFaults } from "./proxy-faults.ts";
import { slowFaults } from "./slow-faults.ts";
import { startFault } from "./start-fault.ts";

/** One row of the matrix as a scenario of a test, and what the result must say about it. */
interface PlayedRow {
  readonly name: string;
  readonly host: string;
  readonly source: string;
  readonly counts: { readonly started: number; readonly sent: number; readonly failed: number };
  /** The expected count of each error code. */
  readonly errors: Readonly<Record<string, number>>;
  readonly says: string;
}

/** The time between the starts of two scenarios. */
const apartMs = 25;
/** The same for endless bodies: they keep the processor busy, and must not use up the timeouts of others. */
const farApartMs = 250;

async function play(row: FaultRow): Promise<PlayedRow> {
  const { name, outcome, request = {}, isWarm = false, next, pauseMs } = row;
  const [faulty] = row.script ?? [];
  // A row can be repeated if the fault ends its connection: the next iteration meets it on a new one.
  const isRepeatable = next !== "sameConnection" && pauseMs === undefined;
  const iterations = isRepeatable ? 2 : 1;
  const script = isRepeatable && faulty !== undefined ? [faulty] : row.script;
  const { baseUrl, http } = await startFault(row, script);
  const { method = "GET", bodyBytes, abortAfterMs, ...options } = request;
  const exec = `async ({ http, sleep }) => {
    ${isWarm ? `await http.get(${JSON.stringify(`${baseUrl}/warm`)}, { name: "warm" });` : ""}
    ${isWarm && pauseMs !== undefined ? `await sleep(${pauseMs});` : ""}
    await http.request("${method}", ${JSON.stringify(`${baseUrl}/`)}, {
      ...${JSON.stringify({ ...options, name })},
      ${bodyBytes === undefined ? "" : `body: new Uint8Array(${bodyBytes}),`}
      ${abortAfterMs === undefined ? "" : `signal: AbortSignal.timeout(${abortAfterMs}),`}
    });
    ${row.errorsAfterPause === undefined ? "" : `await sleep(${pauseMs ?? 0});`}
  }`;
  const { code, started = 1, failed = code === null ? 0 : 1 } = outcome;
  const errors = row.errorsAfterPause ?? outcome.errors ?? (code === null ? [] : [code]);
  const { sent = started } = outcome;
  return {
    name,
    host: new URL(baseUrl).host,
    source: `http: ${JSON.stringify(http)}, executor: "per-vu-iterations", vus: 1, iterations: ${iterations}, exec: ${exec}`,
    counts: { started: started * iterations, sent: sent * iterations, failed: failed * iterations },
    errors: Object.fromEntries(errors.map((error) => [error, iterations])),
    says: outcome.says ?? "",
  };
}

async function playHttp2({
  name,
  greeting,
  answer,
  code,
  says,
  timeout = 5000,
}: Http2FaultRow): Promise<PlayedRow> {
  const server = await startRawHttp2Server({ ...(greeting === undefined ? {} : { greeting }), answer });
  const host = `${server.host}:${server.port}`;
  const options = JSON.stringify({ name, timeout });
  return {
    name,
    host,
    source: `http: { protocol: "h2c" }, executor: "per-vu-iterations", vus: 1, iterations: 1,
      exec: async ({ http }) => { await http.get("http://${host}/", ${options}); }`,
    counts: { started: 1, sent: 1, failed: 1 },
    errors: { [code]: 1 },
    says: says ?? "",
  };
}

function testOf(rows: readonly PlayedRow[], stepMs: number): string {
  const scenarios = rows.map(({ source }, index) => `s${index}: { startTime: ${index * stepMs}, ${source} }`);
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  allowHosts: ${JSON.stringify([...new Set(rows.map(({ host }) => host))])},
  scenarios: {
${scenarios.join(",\n")}
  },
  thresholds: { http_req_failed: ["rate<1%"] },
});`;
}

function expectRow({ errors, accounting }: TestResult, row: PlayedRow): void {
  const { name } = row;
  const found = errors.filter((error) => error.name === name);
  const counted = Object.fromEntries(found.map(({ code, count }) => [code, count]));
  expect(counted, `${name}: ${found.map(({ message }) => message).join()}`).toEqual(row.errors);
  const { started, sent, failed } = row.counts;
  const counts = accounting.requests.find((request) => request.name === name);
  expect(counts, name).toMatchObject({
    started,
    sent,
    failed,
    succeeded: started - failed,
    interrupted: 0,
    lost: 0,
  });
  if (found.length > 0) expect(found.map(({ message }) => message).join(), name).toContain(row.says);
  for (const { message } of found) expect(message, name).toMatch(/^[^\p{Cc}]+$/u);
}

/** An upper limit for the slowest row and its clean-up on a busy machine. */
const slowestMs = 20_000;

async function expectRun(rows: readonly PlayedRow[], stepMs: number = apartMs): Promise<void> {
  const file = writeTest(testOf(rows, stepMs));
  const { exitCode, result, stdout, stderr } = await runForResult(["run", file, "--workers", "1"]);
  for (const row of rows) expectRow(result, row);
  expect(exitCode, stderr).toBe(99);
  expectBalanced(result);
  expect(result.accounting.iterations).toMatchObject({ failed: 0, interrupted: 0, dropped: 0, lost: 0 });
  expect(result.durationMs).toBeLessThan(rows.length * stepMs + slowestMs);
  // Text from the target must not act as an escape sequence, nor as a command in a CI log.
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  expect(stdout).not.toMatch(/^\s*::[a-z]/m);
}

const isPossible = ({ reach }: FaultRow): boolean => reach?.by !== "tls" || hasOpenssl;

describe("a run that meets the fault matrix ends on time, and reports every fault by its code", () => {
  test.each([
    { of: "connections", rows: connectionFaults },
    { of: "time", rows: slowFaults, stepMs: farApartMs },
    { of: "proxies", rows: proxyFaults },
    { of: "form", rows: malformedFaults },
    { of: "good answers", rows: oddAnswers },
  ])("faults of $of", async ({ rows, stepMs }) => {
    await expectRun(await Promise.all(rows.filter(isPossible).map(play)), stepMs);
  });

  test("faults of HTTP/2", async () => {
    await expectRun(await Promise.all(http2Faults.map(playHttp2)));
  });
});
