import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { IntervalSnapshot } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { defineTest, InvalidInput } from "../../src/index.ts";
import "../../src/vitest.ts";
import { expectBalanced } from "../end-to-end/expect-balanced.ts";
import { temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { schemaErrors } from "../published-schema.ts";
import { runTest } from "../../../engine/test/run/awaited-run.ts";
import { serveHello } from "../../../engine/test/run/hello-server.ts";

const url = await serveHello();

const short = { executor: "per-vu-iterations", vus: 2, iterations: 5 } as const;

const visits = defineTest({
  name: "visits",
  baseUrl: url,
  scenarios: { visits: { ...short, exec: ({ http }) => http.get("/") } },
  thresholds: { http_req_failed: ["rate<1%"] },
});

describe("runTest with a test object", () => {
  test("resolves with the result of a run that met its thresholds", async () => {
    const result = await runTest(visits, { allowSaturated: true });
    expect(result).toMeetThresholds();
    expect(result).toMatchObject({ verdict: "passed", exitCode: 0, test: { name: "visits", file: null } });
    expect(result.accounting.iterations.completed).toBe(10);
    expectBalanced(result);
    expect(schemaErrors("result.schema.json", result)).toEqual([]);
  });

  test("resolves with the result of a run that missed a threshold, and the matcher names it", async () => {
    const result = await runTest(visits, {
      thresholds: { http_reqs: "count>1000", iterations: ["count>5"] },
    });
    expect(result).not.toMeetThresholds();
    expect(result).toMatchObject({ verdict: "failed", exitCode: 99 });
    expect(() => {
      expect(result).toMeetThresholds();
    }).toThrow(
      "expected visits to meet its thresholds, but it failed:\n  threshold failed: http_reqs: count>1000 (was 10)",
    );
  });

  test("the matcher, negated, passes only for a threshold that failed", async () => {
    const broken = defineTest({
      name: "broken",
      baseUrl: url,
      setup: () => {
        throw new TypeError("no database");
      },
      scenarios: { visits: { ...short, exec: ({ http }) => http.get("/") } },
      thresholds: { http_req_failed: ["rate<1%"] },
    });
    const result = await runTest(broken);
    expect(result.verdict).toBe("errored");
    expect(() => {
      expect(result).not.toMeetThresholds();
    }).toThrow(
      "expected broken not to meet its thresholds, but no threshold failed; the run ended with an error:\n  setup failed: TypeError: no database",
    );
    const passed = await runTest(visits, { allowSaturated: true });
    expect(() => {
      expect(passed).not.toMeetThresholds();
    }).toThrow("expected visits not to meet its thresholds, but it met the only one");
  });

  test("takes the options of a run", async () => {
    const seen: IntervalSnapshot[] = [];
    const started: string[] = [];
    const messages: string[] = [];
    const steady = defineTest({
      baseUrl: url,
      scenarios: {
        s: { executor: "constant-vus", vus: 9, duration: "1m", exec: ({ http }) => http.get("/soon") },
      },
    });
    const result = await runTest(steady, {
      vus: 1,
      // Long enough for the thread that reads the process to start on a busy machine.
      duration: 5000,
      seed: 7,
      tags: { build: "a=b" },
      thresholds: { http_req_failed: "rate<1%", "app.process_memory": "max>0" },
      monitors: { app: process.pid, gone: "http://127.0.0.1:9" },
      reporters: [
        {
          onStart: ({ test: { name } }) => {
            started.push(name);
          },
          onInterval: (snapshot) => {
            seen.push(snapshot);
          },
        },
        {
          onInterval: () => {
            throw new Error("no database");
          },
        },
        {
          onEnd: () => {
            throw new Error("nobody listens");
          },
        },
      ],
      onMessage: (message) => messages.push(message),
    });
    expect(result.seed).toBe(7);
    expect(result.durationMs).toBeGreaterThanOrEqual(4900);
    expect(result.series.every(({ tags }) => tags["build"] === undefined || tags["build"] === "a=b")).toBe(
      true,
    );
    expect(result.series.some(({ tags }) => tags["build"] === "a=b")).toBe(true);
    expect(started).toEqual(["test"]);
    expect(result.monitors.map(({ name, source }) => [name, source])).toEqual([
      ["gone", "http://127.0.0.1:9/metrics"],
      ["app", `process ${process.pid}`],
    ]);
    expect(result).toMatchObject({
      verdict: "passed",
      exitCode: 111,
      messages: [
        "report not written: no database (reporters[1])",
        "report not written: nobody listens (reporters[2])",
      ],
    });
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const { iterations, scenarios, thresholds } of seen) {
      expect(scenarios).toMatchObject([{ name: "s", plannedRate: null, plannedIterations: null }]);
      expect(Math.abs((scenarios[0]?.iterations ?? 0) - iterations)).toBeLessThanOrEqual(1);
      expect(scenarios[0]?.iterationRate).toBeGreaterThan(0);
      expect(thresholds[0]).toMatchObject({ metric: "http_req_failed", passed: true, actual: 0 });
    }
    expect(messages).toContain(
      "monitor gone has a gap: http://127.0.0.1:9/metrics: it refused the connection",
    );
    expect(messages.every((message) => !message.includes("undefined"))).toBe(true);
  });

  test("refuses worker threads, which cannot receive its functions, and lists every problem", async () => {
    const tags = { team: "web", page: "home" };
    const typo = { workers: 2, vus: 0, durration: "1s", tags, monitors: { web: "nowhere", app: -1 } };
    const refused = await runTest(visits, typo).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidInput);
    expect(refused).toMatchObject({
      code: "INVALID_INPUT",
      problems: [
        "durration: unknown option. Did you mean duration?",
        "vus 0: must be a whole number from 1.",
        "tags page: is a tag that bearhug sets itself.",
        "monitors web=nowhere: must be an address, such as http://10.0.0.5:9100/metrics or db=http://10.0.0.6:9187/metrics.",
        "monitors app=-1: must be a process id (PID), such as 1234 or db=1234.",
        "workers 2: the functions of a test object cannot be sent to other threads. Leave workers out, or give runTest the test's file.",
      ],
    });
  });
});

describe("runTest with an AbortSignal", () => {
  const endless = defineTest({
    name: "endless",
    baseUrl: url,
    scenarios: {
      s: {
        executor: "constant-vus",
        vus: 2,
        duration: "1m",
        gracefulStop: "1s",
        exec: ({ http }) => http.get("/soon"),
      },
    },
    thresholds: { http_reqs: ["count>0"] },
  });

  test("ends gracefully, and resolves with what was measured until then", async () => {
    const result = await runTest(endless, { signal: AbortSignal.timeout(1500) });
    expect(result).toMatchObject({ verdict: "interrupted", exitCode: 105 });
    expect(result.messages).toEqual(["interrupted by the AbortSignal; thresholds were not evaluated"]);
    expect(result.accounting.iterations.completed).toBeGreaterThan(0);
    expect(result.durationMs).toBeLessThan(20_000);
    expectBalanced(result);
  });

  test("sends nothing if the signal was already aborted", async () => {
    const result = await runTest(endless, { signal: AbortSignal.abort() });
    expect(result.verdict).toBe("interrupted");
    expect(result.accounting.iterations.started).toBe(0);
  });
});

describe("runTest with a file", () => {
  const source = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}", env: { PATH_TO: { default: "/" } },
  scenarios: { s: { executor: "shared-iterations", vus: 2, iterations: 6, exec: ({ http, env }) => http.get(env.PATH_TO) } },
  thresholds: { http_req_failed: ["rate<1%"] },
});`;

  test("runs it in worker threads, and writes the reports that were requested", async () => {
    const path = writeTest(source);
    const json = join(temporaryFolder(), "result.json");
    const result = await runTest(path, { workers: 2, env: { PATH_TO: "/other" }, out: [`json=${json}`] });
    expect(result).toMeetThresholds();
    expect(result.plan.workers).toBe(2);
    expect(result.accounting.requests.map(({ name, succeeded }) => [name, succeeded])).toEqual([
      ["GET /other", 6],
    ]);
    expect(JSON.parse(readFileSync(json, "utf8"))).toEqual(JSON.parse(JSON.stringify(result)));
    expect(await runTest(pathToFileURL(path), { workers: 1 })).toMeetThresholds();
  });

  test("rejects a file that does not exist or is not a test", async () => {
    await expect(runTest("nowhere.ts")).rejects.toBeInstanceOf(InvalidInput);
    await expect(runTest("shop.har")).rejects.toThrow("runTest takes no capture");
    await expect(runTest(new URL("ftp://example.test/"))).rejects.toThrow("http:, https: and file:");
    await expect(runTest(new URL("file:///a%2Fb.ts"))).rejects.toBeInstanceOf(InvalidInput);
    await expect(runTest(writeTest("export default 1;"))).rejects.toBeInstanceOf(InvalidInput);
  });

  test("refuses a report that would replace a file that the run reads", async () => {
    const key = writeTest("");
    const options = { cert: "client.pem", key, out: [`json=${key}`] };
    const refused = runTest(writeTest("export default 1;"), options);
    await expect(refused).rejects.toThrow(`the report would replace ${key}, which this command reads`);
  });
});

test("runTest with an address applies load to it", async () => {
  const result = await runTest(new URL("/page", url), { iterations: 4, vus: 2, workers: 1 });
  expect(result.accounting.requests).toMatchObject([{ name: "GET /page", succeeded: 4 }]);
});

test("75 connections stay 75 when two workers share them", async () => {
  const opened = new Set<unknown>();
  const waiting: ServerResponse[] = [];
  const counted = createServer((request, response) => {
    opened.add(request.socket);
    // No response is sent before 75 connections are open, so every VU needs its own.
    waiting.push(response);
    if (opened.size < 75) return;
    for (const one of waiting.splice(0)) one.end("hello\n");
  });
  counted.listen(0, "127.0.0.1");
  await once(counted, "listening");
  onTestFinished(() => {
    counted.close();
  });
  const { port } = counted.address() as AddressInfo;
  const address = new URL(`http://127.0.0.1:${port}/`);
  const result = await runTest(address, { vus: 75, iterations: 150, workers: 2 });
  expect(result.accounting.iterations.completed).toBe(150);
  expect(opened.size).toBe(75);
});

test("runTest opens a connection for each request without keep-alive", async () => {
  const options = { vus: 2, iterations: 6, workers: 0, noKeepAlive: true } as const;
  const { metrics } = await runTest(new URL("/page", url), options);
  expect(metrics["connections_opened"]?.values).toMatchObject({ count: 6 });
});

test("runTest starts iterations at a rate", async () => {
  const options = { rate: 200, duration: "200ms", arrivals: "uniform", workers: 0 } as const;
  const { accounting, metrics } = await runTest(new URL("/page", url), options);
  expect(accounting.iterations.scheduled).toBe(40);
  expect(accounting.iterations.started).toBeGreaterThan(0);
  expect(metrics["http_req_response_time"]).toBeDefined();
});

test("toMeetThresholds refuses a value that is not a result, and a result without thresholds", async () => {
  expect(() => {
    expect({ verdict: "passed" }).toMeetThresholds();
  }).toThrow("takes the result of runTest");
  const result = await runTest(new URL(url), { iterations: 1, vus: 1, workers: 0 });
  expect(() => {
    expect(result).toMeetThresholds();
  }).toThrow("has no thresholds");
});

test("a secret that becomes known only after a text was recorded is still masked in the result", async () => {
  const token = "kX93vTq0PzLw7RbN5sYd";
  const leaky = defineTest({
    baseUrl: url,
    scenarios: {
      s: {
        executor: "per-vu-iterations",
        vus: 1,
        iterations: 2,
        exec: async ({ http, iteration, sleep, check }) => {
          if (iteration.indexInVu === 0) {
            check(null, {
              [`knows ${token}`]: () => {
                throw new Error(`no session ${token}`);
              },
            });
            await http.get("/", { name: `GET /${token}` });
            throw new Error(`refused ${token}`);
          }
          // By then the worker has reported the error that it threw.
          await sleep("2500ms");
          await http.get("/", { name: "signed in", headers: { authorization: `Bearer ${token}` } });
        },
      },
    },
  });
  const result = await runTest(leaky);
  expect(result.errors.map(({ message }) => message)).toContainEqual(expect.stringContaining("refused ***"));
  expect(result.checks.map(({ name, exception }) => [name, exception?.message])).toEqual([
    ["knows ***", expect.stringContaining("no session ***")],
  ]);
  expect(result.names.map(({ name }) => name)).toEqual(["GET /***", "signed in"]);
  expect(JSON.stringify(result)).not.toContain(token);
});
