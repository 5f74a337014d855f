import { setTimeout as sleep } from "node:timers/promises";

import { validateTest } from "@bearhug/plan/definition/validate-test";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { HttpOptions, RequestOptions, Response } from "@bearhug/sdk";
import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { hasOpenssl } from "../../../http/test/make-certificate.ts";
import { startClient, type TestClient } from "../../../http/test/start-client.ts";
import { expectNothingLeft } from "./active-resources.ts";
import { faultMatrix } from "./fault-matrix.ts";
import type { FaultRow, FaultyRequest } from "./fault-row.ts";
import { startFault } from "./start-fault.ts";
import { withUndici } from "./undici-differences.ts";

/** Far below the default request timeout, but enough for a busy machine. */
const defaultMaxMs = 5000;

function validated(http: HttpOptions): ValidatedHttp {
  const { test: plan, problems } = validateTest({
    http,
    scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec: () => {} } },
  });
  if (plan === undefined) throw new Error(JSON.stringify(problems));
  return plan.http;
}

function optionsOf({ bodyBytes, abortAfterMs, method: _method, ...options }: FaultyRequest): RequestOptions {
  return {
    ...options,
    ...(bodyBytes === undefined ? {} : { body: Buffer.alloc(bodyBytes) }),
    ...(abortAfterMs === undefined ? {} : { signal: AbortSignal.timeout(abortAfterMs) }),
  };
}

/** Expects the response that the row describes. */
function expectOutcome(response: Response, { outcome }: FaultRow): void {
  const { code, phase, status, text, readError, says } = outcome;
  expect(response.error?.code ?? null, response.error?.message).toBe(code);
  expect(response.status).toBe(status);
  if (phase !== undefined) expect(response.error?.phase).toBe(phase);
  if (code !== null) {
    expect(response.error?.message).toContain(says ?? "");
    expect(response.error?.message).toMatch(/^[^\p{Cc}]{10,1000}$/u);
    expect(response.error?.message).not.toMatch(/::[a-z]/);
  }
  if (text !== undefined) expect(response.text()).toBe(text);
  if (readError !== undefined) expect(() => response.text()).toThrow(readError);
  for (const [part, ms] of Object.entries(response.timings)) expect(ms < 0, part).toBe(false);
  expect(response.timings.responseTime).toBeGreaterThan(0);
}

/** Expects exactly the counts, samples and errors that the row describes. */
function expectAccounts(client: TestClient, { outcome, request = {} }: FaultRow): void {
  const { code, started = 1, failed = code === null ? 0 : 1, errors = code === null ? [] : [code] } = outcome;
  const { sent = started } = outcome;
  const name = `${request.method ?? "GET"} /`;
  const counts = { started, sent, succeeded: started - failed, failed, interrupted: 0 };
  expect(client.row(name)).toMatchObject(counts);
  const of = (metric: string) => client.metric(`${metric}{name:${name}}`);
  expect(of("http_reqs")).toMatchObject({ total: started });
  expect(of("http_req_failed")).toMatchObject({ trues: failed, samples: started });
  // A request that was never sent has no latency sample; a request that was sent has one, above 0.
  const duration = of("http_req_duration");
  if (sent === 0) expect(duration).toBeUndefined();
  else expect(duration).toMatchObject({ count: sent });
  if (duration?.type === "trend") expect(duration.min).toBeGreaterThan(0);
  expect(client.engine.errors.all().map((error) => error.code)).toEqual(errors);
}

/** Expects that the next request gets its own response, over the connection that the row describes. */
async function expectNext(
  client: TestClient,
  row: FaultRow,
  server: { heads: string[]; connectionOf: number[] },
) {
  const faulty = server.connectionOf.at(-1);
  const response = await client.http.get("/next");
  expect(response).toMatchObject({ status: 200, error: null });
  expect(response.text()).toBe("next");
  const connection = server.connectionOf.at(-1)!;
  if (row.next === "sameConnection") expect(connection).toBe(faulty);
  else expect(connection).toBeGreaterThan(faulty ?? 0);
  if (row.nextLacks !== undefined) expect(server.heads.at(-1)).not.toMatch(row.nextLacks);
  expect(client.row(ownWords`GET /next`)).toMatchObject({ started: 1, sent: 1, succeeded: 1, failed: 0 });
}

test("the matrix covers every fault that a client can meet by itself", () => {
  const covered = new Set(faultMatrix.flatMap(({ rows }) => rows));
  const wanted = [...Array.from({ length: 18 }, (_, index) => index + 1), 20, 21, 37, 38, 39];
  expect(wanted.filter((number) => !covered.has(number))).toEqual([]);
});

const transports = [
  { transport: "bearhug", matrix: faultMatrix },
  { transport: "undici", matrix: faultMatrix.map(withUndici) },
] as const;

describe.each(transports)("transport $transport", ({ transport, matrix }) => {
  const faults = new Set(matrix.flatMap(({ rows }) => rows.slice(0, 1)));

  describe.each([...faults].sort((a, b) => a - b))("fault %i", (number) => {
    const rows = matrix.filter((row) => row.rows[0] === number);

    test.for(rows)("$name", async (row, { skip }) => {
      skip(row.reach?.by === "tls" && !hasOpenssl, "needs openssl to make certificates");
      expectNothingLeft();
      const { baseUrl, http, server } = await startFault(row, row.script);
      const client = startClient(baseUrl, [], [], validated({ ...http, transport }));
      if (row.isWarm === true) expect((await client.http.get("/warm")).text()).toBe("warm");
      if (row.isWarm === true && row.pauseMs !== undefined) await sleep(row.pauseMs);
      const request = row.request ?? {};
      const began = performance.now();
      const response = await client.http.request(request.method ?? "GET", "/", optionsOf(request));
      const tookMs = performance.now() - began;
      expectOutcome(response, row);
      expectAccounts(client, row);
      expect(tookMs).toBeLessThan(row.maxMs ?? defaultMaxMs);
      if (row.outcome.code?.endsWith("_TIMEOUT") === true)
        expect(response.timings.responseTime).toBeGreaterThanOrEqual(tookMs / 4);
      if (row.pauseMs !== undefined) await sleep(row.pauseMs);
      const codes = (): string[] => client.engine.errors.all().map(({ code }) => code);
      if (row.errorsAfterPause !== undefined)
        await expect.poll(codes, { timeout: 5000 }).toEqual(row.errorsAfterPause);
      if (row.next !== null && server !== null) await expectNext(client, row, server);
    });
  });
});
