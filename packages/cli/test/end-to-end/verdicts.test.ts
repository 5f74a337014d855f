import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { relative } from "node:path";

import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Returns a test of one scenario; `rest` comes before the scenarios, `exec` is its body. */
function oneScenario(baseUrl: string, exec: string, rest = ""): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  ${rest}
  scenarios: {
    visits: {
      executor: "constant-vus", vus: 2, duration: "1s", gracefulStop: "2s",
      exec: async ({ http, sleep, abort, metrics }) => {
        await http.get("/"); await sleep("20ms");
        ${exec}
      },
    },
  },
});`;
}

test("a threshold that fails exits 99 and names the metric, the bound and the value", async () => {
  const server = await startServer();
  const file = writeTest(
    oneScenario(server.url, "", `thresholds: { http_reqs: ["count>100000", "count>1"] },`),
  );
  const { exitCode, stdout, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  expect(result.verdict).toBe("failed");
  expect(result.thresholds[0]?.source).toEqual({ file: relative(tmpdir(), file), line: 4, column: 29 });
  const [failed, held] = result.thresholds;
  expect(failed).toMatchObject({ metric: "http_reqs", expression: "count>100000", passed: false });
  expect(held).toMatchObject({ passed: true });
  expect(stdout).toMatch(/http_reqs\s+count>100000\s+\d/);
  expect(result.messages).toEqual([
    `threshold failed: http_reqs: count>100000 (was ${String(failed?.actual)})`,
  ]);
});

test("a threshold keeps its place in the test if a secret in its filter is masked", async () => {
  const server = await startServer();
  const secret = "kZq83hfTTm02pLx";
  const rest = `env: { API_TOKEN: { secret: true } },
  thresholds: { "iterations{user:${secret}}": [{ threshold: "count>0", allowEmpty: true }] },`;
  const file = writeTest(oneScenario(server.url, "", rest));
  const { result } = await runForResult(["run", file, "--env", `API_TOKEN=${secret}`]);
  expect(result.thresholds).toMatchObject([
    { metric: "iterations{user:***}", source: { file: relative(tmpdir(), file), line: 5 } },
  ]);
});

test("a threshold without a sample fails and says so, unless that is allowed", async () => {
  const server = await startServer();
  const thresholds = `thresholds: {
    "http_req_duration{page:nowhere}": ["p(95)<1s", { threshold: "p(99)<1s", allowEmpty: true }],
  },`;
  const { exitCode, result } = await runForResult([
    "run",
    writeTest(oneScenario(server.url, "", thresholds)),
  ]);
  expect(exitCode).toBe(99);
  expect(result.thresholds.map(({ passed, samples }) => [passed, samples])).toEqual([
    [false, 0],
    [true, 0],
  ]);
  expect(result.messages.join()).toContain("no samples");
});

test("a threshold with abortOnFail ends the run early, exit 99", async () => {
  const server = await startServer();
  const source = oneScenario(
    server.url,
    "",
    `thresholds: { http_reqs: [{ threshold: "count<5", abortOnFail: true }] },`,
  );
  const file = writeTest(source.replace('duration: "1s"', 'duration: "60s"'));
  const { exitCode, result, stderr, stdout } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  expect(result.durationMs).toBeLessThan(20_000);
  expect(stderr).toContain("http_reqs: count<5 failed and ends the run early");
  expect(result.notes).toContain("ended early when http_reqs: count<5 failed");
  expect(stdout).toContain("ended early when http_reqs: count<5 failed");
  expectBalanced(result);
});

test("a threshold that ended the run early fails it, even if it holds again at the end", async () => {
  const server = await startServer();
  const source = oneScenario(
    server.url,
    `metrics.queue.add(9); try { await sleep("1h"); } finally { metrics.queue.add(1); }`,
    `metrics: { queue: { type: "gauge" } }, thresholds: { queue: [{ threshold: "value<5", abortOnFail: true }] },`,
  );
  const file = writeTest(source.replace('duration: "1s"', 'duration: "60s"'));
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(result.durationMs).toBeLessThan(20_000);
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([true]);
  expect(result.messages).toEqual([
    "ended early when queue: value<5 failed; it held again at the end, but the rest of the load is missing",
  ]);
  expect(exitCode).toBe(99);
});

test("a scenario that throws shows the test's own file and line, and the run goes on", async () => {
  const server = await startServer();
  const source = oneScenario(server.url, `throw new Error("out of stock");`);
  const line = source.split("\n").findIndex((text) => text.includes("out of stock")) + 1;
  const { exitCode, stdout, result } = await runForResult(["run", writeTest(source)]);
  expect(exitCode).toBe(99);
  expect(stdout).toContain(`your-test.ts:${line}`);
  const { failed, started } = result.accounting.iterations;
  expect(failed).toBe(started);
  expect(result.errors).toMatchObject([{ code: "TEST_THREW", count: failed, source: { line } }]);
  expectBalanced(result);
});

test("a scenario that never started or made no request fails, even if requests of another were interrupted", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 300));
  const load = `executor: "constant-vus", duration: "1s", gracefulStop: "0s"`;
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${server.url}", scenarios: {
busy: { ${load}, exec: ({ http }) => http.get("/") },
silent: { ${load}, exec: ({ sleep }) => sleep(50) },
stuck: { ${load}, exec: () => new Promise(() => undefined) },
never: { executor: "ramping-vus", startVUs: 0, stages: [{ duration: "1s", target: 0 }], exec: ({ http }) => http.get("/") },
}, thresholds: { http_req_failed: ["rate<1%"] } });`);
  const { exitCode, result, stderr } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  expect(stderr).toMatch(/^bearhug: scenario never starts no iteration, so the run fails: /m);
  expect(result.accounting.requests).toMatchObject([{ interrupted: 1 }]);
  expect(result.messages).toEqual([
    expect.stringMatching(/^scenario never at .*:6:\d+ started no iteration/),
    expect.stringMatching(/^\d+ iterations of silent at .*:4:\d+ made no requests/),
    expect.stringMatching(/^the iterations of stuck at .*:5:\d+ made no requests and never finished/),
  ]);
  const warmed = await runForResult(["run", file, "--warmup", "200ms"]);
  expect(warmed.exitCode).toBe(99);
  expect(warmed.result.messages[0]).toMatch(/^scenario never at .*:6:\d+ started no iteration/);
});

test("whatever is thrown is counted, and no virtual user is lost", async () => {
  const server = await startServer();
  const thrown = [
    `throw null;`,
    `throw Object.freeze(new Error("frozen"));`,
    `await Promise.reject(new Error("rejected"));`,
    `throw { toString() { throw new Error("not even text"); } };`,
    `void Promise.reject(new Error("stray"));`,
    // Timers of the last iterations would not fire before the run ends.
    `if (iterations < 30) setTimeout(() => { throw new Error("late"); }, 1);`,
  ];
  const cases = thrown.map(
    (statement, index) => `if (iterations % ${thrown.length + 1} === ${index}) { ${statement} }`,
  );
  const most = `thresholds: { iteration_failed: ["rate<99%"] },`;
  const source = oneScenario(server.url, `iterations++;\n${cases.join("\n")}`, most);
  const file = writeTest(source.replace("export default", "let iterations = 0;\nexport default"));
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(0);
  expect(new Set(result.errors.map(({ code }) => code))).toEqual(
    new Set(["TEST_THREW", "UNHANDLED_REJECTION", "UNCAUGHT_EXCEPTION"]),
  );
  expect(result.accounting.iterations.completed).toBeGreaterThan(0);
  expectBalanced(result);
});

test("an unreachable server completes with errors counted by code, exit 99, no stack trace", async () => {
  const port = await closedPort();
  const { exitCode, stdout, stderr, result } = await runForResult([
    `http://127.0.0.1:${port}/`,
    "-c",
    "2",
    "-d",
    "1s",
  ]);
  expect(exitCode).toBe(99);
  expect(result.errors).toMatchObject([{ code: "CONNECTION_REFUSED", cause: "ECONNREFUSED", name: "GET /" }]);
  expect(result.metrics["http_req_duration"]).toBeUndefined();
  expect(stdout + stderr).not.toMatch(/\n\s+at /);
  expect(result.messages.join()).toContain("no request succeeded");
  expectBalanced(result);
});

test("an invalid test exits 104 with all its problems, and sends nothing", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    a: { executor: "constant-vus", vus: -1, duration: "soon", exec: () => 1 },
    b: { executor: "constant-arrival-rate", rate: 0, duration: "1s", exec: 5 },
  },
  thresholds: { http_req_failed: ["p(95)<1s"], nothing: ["avg<1"] },
} as never);`);
  const { exitCode, stderr, stdout } = await runBearhug(["run", file]);
  expect(exitCode).toBe(104);
  expect(stdout).toBe("");
  for (const path of ["a.vus", "a.duration", "b.rate", "b.exec", "http_req_failed", "nothing"]) {
    expect(stderr).toContain(path);
  }
  expect(server.total()).toBe(0);
});

test.for([
  [["run", "nowhere.ts"], "nowhere.ts"],
  [["runn"], "Did you mean run?"],
  [["http://127.0.0.1:1/", "-c", "0", "-d", "never", "-H", "broken"], "-c 0"],
  [["http://127.0.0.1:1/", "--out", "jsn=x"], "Did you mean json?"],
  [["http://127.0.0.1:1/", "--threshold", "http_reqs: avg<1"], "http_reqs"],
  [["ftp://example.org/"], "ftp://example.org/"],
] as const)("%j is refused with a sentence, exit 104", async ([arguments_, sentence]) => {
  const { exitCode, stderr } = await runBearhug(arguments_);
  expect(exitCode).toBe(104);
  expect(stderr).toContain(sentence);
});

test("a module or a setup that throws exits 107 with its line; teardown's failure does too", async () => {
  const server = await startServer();
  const modules = await runForResult([
    "run",
    writeTest(`import "@bearhug/sdk";\nthrow new Error("at import");`),
  ]);
  expect(modules.exitCode).toBe(107);
  expect(modules.stdout).toContain("your-test.ts:2");
  const setup = await runForResult([
    "run",
    writeTest(
      oneScenario(
        server.url,
        "",
        `setup: async ({ http }) => { await http.get("/s"); throw new Error("no users"); },`,
      ),
    ),
  ]);
  expect(setup.exitCode).toBe(107);
  expect(setup.result.messages.join()).toContain("no users");
  expect(setup.result.accounting.setup.requests).toMatchObject([{ name: "GET /s", sent: 1 }]);
  expect(setup.result.accounting.requests).toEqual([]);
  const teardown = await runForResult([
    "run",
    writeTest(oneScenario(server.url, "", `teardown: () => { throw new Error("cannot clean"); },`)),
  ]);
  expect(teardown.exitCode).toBe(107);
  expect(teardown.result.messages.join()).toContain("cannot clean");
  expect(teardown.result.accounting.iterations.completed).toBeGreaterThan(0);
});

test("abort ends the whole run with its reason, exit 108", async () => {
  const server = await startServer();
  const source = oneScenario(server.url, `abort("the shop is closed");`).replace(
    'duration: "1s"',
    'duration: "60s"',
  );
  const { exitCode, result } = await runForResult(["run", writeTest(source), "--workers", "2"]);
  expect(exitCode).toBe(108);
  expect(result.verdict).toBe("aborted");
  expect(result.messages.join()).toContain("the shop is closed");
  expectBalanced(result);
});

test("a report's folders are created; a report that cannot be created exits 111 and does not hang", async () => {
  const server = await startServer();
  const deep = `${temporaryFolder()}/a/b/r.json`;
  const bench = [`${server.url}/`, "-n", "5", "-c", "1", "--out"];
  expect((await runBearhug([...bench, `json=${deep}`])).exitCode).toBe(0);
  expect(readFileSync(deep, "utf8")).toContain("bearhug/result@1");
  const hopeless = await runBearhug([...bench, "json=/proc/no/such/r.json"]);
  expect(hopeless.exitCode).toBe(111);
  expect(hopeless.stderr).toContain("report not written");
  expect(hopeless.stdout).toContain("completed, exit code 111");
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
