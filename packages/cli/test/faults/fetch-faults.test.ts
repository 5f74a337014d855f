import { validateTest } from "@bearhug/plan/definition/validate-test";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { HttpOptions } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { hasOpenssl } from "../../../http/test/make-certificate.ts";
import { ways, type Way } from "../../../http/test/fetch/ways.ts";
import { startClient } from "../../../http/test/start-client.ts";
import { faultMatrix } from "./fault-matrix.ts";
import type { FaultRow, FaultyRequest } from "./fault-row.ts";
import { startFault } from "./start-fault.ts";

/** Returns the `http` options of a test, with those that the row gives for a single request. */
function optionsOf(http: HttpOptions, { timeout, maxBodySize }: FaultyRequest): ValidatedHttp {
  const { test: plan, problems } = validateTest({
    http: {
      ...http,
      ...(timeout === undefined ? {} : { timeout }),
      ...(maxBodySize === undefined ? {} : { maxBodySize }),
    },
    scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec: () => {} } },
  });
  if (plan === undefined) throw new Error(JSON.stringify(problems));
  return plan.http;
}

async function meet(row: FaultRow, go: Way) {
  const faulty = row.request ?? {};
  const { baseUrl, http } = await startFault(row, row.script);
  const client = startClient(baseUrl, [], [], optionsOf(http, faulty));
  if (row.isWarm === true) expect((await client.http.get("/warm")).text()).toBe("warm");
  if (row.isWarm === true && row.pauseMs !== undefined)
    await new Promise((resolve) => setTimeout(resolve, row.pauseMs));
  const { method = "GET", bodyBytes, abortAfterMs, headers } = faulty;
  const asked = {
    url: `${baseUrl}/`,
    method,
    headers: { ...(headers as Record<string, string> | undefined) },
    body: bodyBytes === undefined ? null : Buffer.alloc(bodyBytes),
    signal: abortAfterMs === undefined ? null : AbortSignal.timeout(abortAfterMs),
  };
  const outcome = await go(client, asked).then(
    (answered) => ({ ...answered, error: null }),
    (error: unknown) => ({ status: 0, text: "", error }),
  );
  await client.vu.idle();
  return { client, outcome, name: `${method} /` };
}

/** Leaves out redirects, retries and decoding, which are up to the client. */
const matrix = faultMatrix.filter(
  ({ rows, request: asked, outcome }) =>
    !rows.includes(21) && asked?.retryOnStaleConnection !== true && outcome.readError === undefined,
);

/** Returns bearhug's code from an error or one of its causes. */
function codeIn(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  return "bearhugCode" in error ? error.bearhugCode : codeIn(error.cause);
}
const faults = new Set(matrix.flatMap(({ rows }) => rows.slice(0, 1)));

describe.each([...faults].sort((a, b) => a - b))("fault %i", (number) => {
  const rows = matrix.filter((row) => row.rows[0] === number);

  test.for(rows)("$name", async (row, { skip }) => {
    skip(row.reach?.by === "tls" && !hasOpenssl, "needs openssl to make certificates");
    const {
      code,
      started = 1,
      failed = code === null ? 0 : 1,
      errors = code === null ? [] : [code],
    } = row.outcome;
    const { sent = started, status, text } = row.outcome;
    const met = await Promise.all(
      Object.entries(ways).map(async ([by, go]) => ({ by, ...(await meet(row, go)) })),
    );
    for (const { by, client, outcome, name } of met) {
      const counts = { started, sent, succeeded: started - failed, failed, interrupted: 0 };
      expect.soft(client.row(name), by).toMatchObject(counts);
      expect
        .soft(
          client.engine.errors.all().map((error) => error.code),
          by,
        )
        .toEqual(errors);
      expect.soft(outcome.status, by).toBe(status);
      // A request that the test aborts fails with the reason that the test gave.
      if (code !== "REQUEST_ABORTED") expect.soft(codeIn(outcome.error), by).toBe(code);
      if (text !== undefined) expect.soft(outcome.text, by).toBe(text);
    }
  });
});
