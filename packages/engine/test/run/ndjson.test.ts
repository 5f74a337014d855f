import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { NdjsonLine, SampleLine, TestResult } from "@bearhug/sdk";
import { afterAll, describe, expect, test } from "vitest";

import { defineTest, runTest } from "../../../cli/src/index.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { freePort } from "../../../cli/test/free-port.ts";
import { schemaErrors } from "../../../cli/test/published-schema.ts";

const server = createServer((request, response) => {
  response.statusCode = request.url === "/broken" ? 500 : 200;
  setTimeout(() => response.end("hello\n"), 20);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const visits = defineTest({
  name: "visits",
  baseUrl: url,
  expectFailures: true,
  env: { SHOP_TOKEN: { default: "hunter2-hunter2" } },
  scenarios: {
    visits: {
      executor: "per-vu-iterations",
      vus: 2,
      iterations: 20,
      exec: async ({ http, page }) => {
        await page("home", () => http.get("/", { name: "hunter2-hunter2 home" }));
        await http.get("/broken");
      },
    },
  },
});

interface Streamed {
  readonly result: TestResult;
  readonly lines: readonly NdjsonLine[];
  readonly samples: readonly SampleLine[];
}

async function stream(samples?: string): Promise<Streamed> {
  const path = join(temporaryFolder(), "run.ndjson");
  const result = await runTest(visits, { out: [`ndjson=${path}`], ...(samples && { samples }) });
  const text = readFileSync(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  expect(text).not.toContain("hunter2");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as NdjsonLine);
  const wrong = lines.flatMap((line) => schemaErrors("ndjson.schema.json", line));
  expect(wrong).toEqual([]);
  return { result, lines, samples: lines.filter((line) => line.type === "sample") };
}

describe("--out ndjson", () => {
  test("has a line for the run, for each second and for the end", async () => {
    const { result, lines } = await stream();
    expect(lines[0]).toMatchObject({ type: "run", test: { name: "visits" }, seed: result.seed });
    expect(lines.at(-1)).toMatchObject({ type: "end", verdict: result.verdict, samples: null });
    expect(lines.slice(1, -1).map(({ type }) => type)).toEqual(lines.slice(1, -1).map(() => "interval"));
  });

  test("--samples all: each request that the result counts has a line with its time, tags and phases", async () => {
    const { result, lines, samples } = await stream("all");
    expect(samples).toHaveLength(80);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 80 });
    expect(lines.at(-1)).toMatchObject({ type: "end", samples: { written: 80, shed: 0 } });
    const home = samples.filter(({ name }) => name === "*** home");
    expect(home).toHaveLength(40);
    for (const { time, status, error, tags, timings } of home) {
      expect({ status, error, tags }).toMatchObject({
        status: 200,
        error: null,
        tags: { scenario: "visits", page: "home", method: "GET", expected_response: "true" },
      });
      expect(timings?.waiting).toBeGreaterThan(10);
      expect(Math.abs(time - Date.parse(result.startedAt))).toBeLessThan(60_000);
    }
    const waited = samples.reduce((sum, { timings }) => sum + (timings?.duration ?? 0), 0) / samples.length;
    const { values } = result.metrics["http_req_duration"] ?? {};
    expect(waited).toBeCloseTo(values && "avg" in values ? values.avg : Number.NaN, 1);
  });

  test("--samples errors: only requests that failed, with their code", async () => {
    const { samples } = await stream("errors");
    expect(samples).toHaveLength(40);
    for (const { status, error, name } of samples)
      expect({ status, error, name }).toEqual({ status: 500, error: "HTTP_500", name: "GET /broken" });
  });

  test("--samples 50%: about half of them", async () => {
    const { samples } = await stream("50%");
    expect(samples.length).toBeGreaterThan(10);
    expect(samples.length).toBeLessThan(70);
  });
});

test("a path that cannot be written is refused before anything is sent", async () => {
  await expect(runTest(visits, { out: ["ndjson=/dev/null/run.ndjson"] })).rejects.toThrow(
    "/dev/null is not a folder",
  );
  await expect(runTest(visits, { samples: "all" })).rejects.toThrow(
    "samples all: samples need a file. Add out ndjson=FILE.",
  );
});

test.runIf(process.platform === "linux")(
  "a path that cannot be written leaves no other output open",
  async () => {
    const target = `127.0.0.1:${await freePort()}`;
    const out = [`prometheus=${target}`, "ndjson=/proc/nowhere/run.ndjson"];
    await expect(runTest(visits, { out })).rejects.toThrow("ndjson=/proc/nowhere/run.ndjson: ENOENT");
    await expect(fetch(`http://${target}/metrics`)).rejects.toThrow("fetch failed");
  },
);

test.runIf(process.platform === "linux")("a full disk costs the stream, not the verdict", async () => {
  const messages: string[] = [];
  const result = await runTest(visits, {
    out: ["ndjson=/dev/full"],
    onMessage: (text) => messages.push(text),
  });
  expect(result).toMatchObject({ verdict: "passed", exitCode: 111 });
  expect(result.messages.at(-1)).toMatch(/report not written: ENOSPC/);
  expect(messages[0]).toMatch(/^\/dev\/full: ENOSPC/);
});
