import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { killRun, recordingsIn, reportRecording, startReport } from "./kill-run.ts";
import { readResult, runBearhug, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test that uses everything that a result can describe. */
function richTest(baseUrl: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "rich",
  baseUrl: "${baseUrl}",
  metrics: { basket: { type: "trend" }, coupons: { type: "counter" }, level: { type: "gauge" } },
  setup: async ({ http }) => { await http.get("/setup"); },
  teardown: async ({ http }) => { await http.get("/teardown"); },
  scenarios: {
    visits: {
      executor: "constant-vus", vus: 3, duration: "3s",
      exec: async ({ http, page, check, sleep, metrics, iteration }) => {
        await page("home", async () => { check(await http.get("/"), { fine: (r) => r.ok }); await http.get("/missing"); });
        metrics.basket.add(iteration.index % 7);
        metrics.coupons.add(1);
        metrics.level.add(iteration.index);
        await sleep("20ms");
        if (iteration.index % 5 === 0) throw new Error("every fifth");
      },
    },
    arrivals: { executor: "constant-arrival-rate", rate: 20, duration: "2s", exec: ({ http }) => http.get("/arrival") },
  },
  thresholds: {
    http_req_failed: ["rate<1%"], "http_req_duration{page:home}": ["p(95)<30s", "p(42)<30s"],
    http_reqs: [{ threshold: "count>1", window: "1s" }], vus: ["value<50"], basket: ["avg<10"], level: ["value>-1"],
  },
});`);
}

async function startRichServer(): Promise<string> {
  const server = await startServer((request, response) => {
    response.statusCode = request.url === "/missing" ? 404 : 200;
    response.end("hello");
  });
  return server.url;
}

describe("a run whose report could not be written", () => {
  test("is kept as a recording, which gives the very same result", async () => {
    const file = richTest(await startRichServer());
    const cache = temporaryFolder();
    const path = join(temporaryFolder(), "result.json");
    // The second report cannot be written; the first one can.
    const outs = ["--out", `json=${path}`, "--out", "json=/proc/nowhere/no.json"];
    const run = await runBearhug(["run", file, "--workers", "2", ...outs], undefined, {
      XDG_CACHE_HOME: cache,
    });
    expect(run.exitCode).toBe(99);
    const [recording = ""] = recordingsIn(cache);
    expect(run.stderr).toContain(`bearhug report ${recording}`);
    const { exitCode, result } = await reportRecording({ cache, path: recording });
    expect(exitCode).toBe(0);
    const original = readResult(path, run);
    expect(result).toEqual(original);
    expect(original.truncated).toBe(false);
    const next = await runBearhug([`${await startRichServer()}/`, "-n", "1"], undefined, {
      XDG_CACHE_HOME: cache,
    });
    expect(next.stderr).not.toContain("killed");
  });

  test("exits with 111 although it passed, and the recording says that it passed", async () => {
    const server = await startServer();
    const cache = temporaryFolder();
    const run = await runBearhug(
      [`${server.url}/`, "-n", "20", "--out", "json=/proc/nowhere/r.json"],
      undefined,
      {
        XDG_CACHE_HOME: cache,
      },
    );
    expect(run.exitCode).toBe(111);
    const [path = ""] = recordingsIn(cache);
    const { result } = await reportRecording({ cache, path });
    expect(result).toMatchObject({ truncated: false, verdict: "passed", exitCode: 0 });
  });
});

test("a run that was reported leaves no recording, whatever its exit code", async () => {
  const server = await startServer();
  const cache = temporaryFolder();
  const bench = [`${server.url}/`, "-n", "10"];
  const codes: (number | null)[] = [];
  for (const rest of [[], ["--threshold", "http_reqs: count>99"], ["--threshold", "nothing: count>1"]]) {
    codes.push((await runBearhug([...bench, ...rest], undefined, { XDG_CACHE_HOME: cache })).exitCode);
  }
  const interrupted = startBearhug([`${server.url}/`, "-d", "60s"], undefined, { XDG_CACHE_HOME: cache });
  while (server.total() < 50) await delay(20);
  expect(recordingsIn(cache)).toHaveLength(1);
  interrupted.child.kill("SIGINT");
  codes.push((await interrupted).exitCode);
  expect(codes).toEqual([0, 99, 104, 105]);
  expect(recordingsIn(cache)).toEqual([]);
});

test("only the next run of the same test mentions a killed one, and old recordings are removed", async () => {
  const server = await startServer();
  const { cache, path } = await killRun([`${server.url}/`, "-d", "60s"], async () => {
    while (server.total() < 50) await delay(20);
    await delay(500);
  });
  const small = [`${server.url}/`, "-n", "1"];
  const run = (): Promise<{ readonly stderr: string }> =>
    runBearhug(small, undefined, { XDG_CACHE_HOME: cache });
  const other = await runBearhug([`${server.url}/other`, "-n", "1"], undefined, { XDG_CACHE_HOME: cache });
  expect(other.stderr).toBe("");
  expect((await run()).stderr).toContain(`was killed; show its results with bearhug report ${path}`);
  expect((await run()).stderr).toBe("");
  expect(recordingsIn(cache)).toEqual([path]);
  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  utimesSync(path, weekAgo, weekAgo);
  expect((await run()).stderr).toBe("");
  expect(readdirSync(join(cache, "bearhug", "runs"))).toEqual([]);
  expect((await startReport(cache)).stdout).toContain("No run was killed");
});

test("if nothing can be recorded, one line says so and the run goes on", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 30));
  const { exitCode, stderr, stdout } = await runBearhug(
    [`${server.url}/`, "-d", "2s", "-c", "1"],
    undefined,
    {
      XDG_CACHE_HOME: "/dev/null",
    },
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^[✓!] completed: /);
  expect(stderr.match(/its results from now on are lost/g)).toHaveLength(1);
});

describe("bearhug report", () => {
  test("prints for a saved result what the run printed", async () => {
    const file = richTest(await startRichServer());
    const path = join(temporaryFolder(), "result.json");
    const run = await runBearhug(["run", file, "--workers", "1", "--out", `json=${path}`]);
    const again = join(temporaryFolder(), "again.json");
    const report = await runBearhug(["report", path, "--out", `json=${again}`]);
    expect(report).toEqual({ exitCode: 0, stdout: run.stdout, stderr: "" });
    expect(JSON.parse(readFileSync(again, "utf8"))).toEqual(JSON.parse(readFileSync(path, "utf8")));
    const hopeless = await runBearhug(["report", path, "--out", "json=/proc/nowhere/no.json"]);
    expect(hopeless.exitCode).toBe(111);
    expect(hopeless.stdout).toContain("Requests");
    expect(hopeless.stderr).toContain("report not written");
  });

  test.each([
    ["a file that is not there", null, /There is no file/],
    ["a text", "hello", /neither a result nor a recording/],
    ["half a result", `{"schema":"bearhug/result@1","seed":1`, /neither a result nor a recording/],
    ["another document", `{"schema":"other","seed":"x"}`, /schema must be[^]*seed must be/],
    ["a document of something else", `{"name":"x","version":"1"}`, /file is not a bearhug result\.\n$/],
    ["a list", "[1]", /file is not a bearhug result\.\n$/],
    ["another compressed file", gzipSync("hello\n"), /neither a result nor a recording/],
    ["an empty file", "", /neither a result nor a recording: it is empty\.\n$/],
  ])("refuses %s, exit 104", async (_, content, sentence) => {
    const path = join(temporaryFolder(), "file");
    if (content !== null) writeFileSync(path, content);
    const { exitCode, stdout, stderr } = await runBearhug(["report", path]);
    expect(exitCode).toBe(104);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain("bug");
    expect(stdout).toBe("");
  });

  test.each(["report", "merge"])("%s refuses outputs that only a run can write", async (command) => {
    const outs = ["ndjson=x.ndjson", "recording=y.bearhug", "prometheus=http://127.0.0.1:9/w", "otlp"];
    const flags = outs.flatMap((out) => ["--out", out]);
    const { exitCode, stderr } = await runBearhug([command, "part.bearhug", ...flags]);
    expect(exitCode).toBe(104);
    expect(stderr.split("\n").filter((line) => line !== "")).toEqual(
      outs.map((out) => `bearhug: --out ${out}: only bearhug run, <url>, and ab-test support it.`),
    );
  });

  test("refuses a folder, and outputs without a result", async () => {
    const folder = await runBearhug(["report", temporaryFolder()]);
    expect([folder.exitCode, folder.stderr]).toEqual([104, expect.stringContaining("is not a file")]);
    const nothing = await runBearhug(["report", "--out", "json"]);
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      104,
      expect.stringContaining("also name the result or recording"),
    ]);
  });
});

test("a run in progress is neither reported nor called killed", async () => {
  const server = await startServer();
  const cache = temporaryFolder();
  const run = startBearhug([`${server.url}/`, "-c", "1", "-d", "60s", "--quiet"], undefined, {
    XDG_CACHE_HOME: cache,
  });
  await expect.poll(() => server.total(), { timeout: 10_000 }).toBeGreaterThan(0);
  const [path = ""] = recordingsIn(cache);
  const report = await startReport(cache, path);
  expect(report.exitCode).toBe(104);
  expect(report.stderr).toContain("this run is still in progress");
  expect((await startReport(cache)).stdout).toContain("No run was killed");
  run.child.kill("SIGINT");
  expect((await run).exitCode).toBe(105);
  expect(recordingsIn(cache)).toEqual([]);
});
