import { existsSync, readFileSync } from "node:fs";

import { parseResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, runBearhug, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test of one scenario with these options and this body. */
function scenario(baseUrl: string, options: string, exec: string, rest = ""): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  ${rest}
  scenarios: { s: { ${options}, exec: async (context) => { ${exec} } } },
});`);
}

test("with too many combinations of tags, built-in filters stay exact and others fail", async () => {
  const server = await startServer((request, response) => {
    response.statusCode = request.url === "/bad" ? 500 : 200;
    response.end();
  });
  const file = scenario(
    server.url,
    `executor: "shared-iterations", vus: 10, iterations: 2500`,
    `const { http, tags, check, iteration } = context;
     tags.set("id", "t" + iteration.index);
     const response = await http.get(iteration.index >= 1250 ? "/bad" : "/good", { name: "same" });
     check(response, { good: (r) => r.status === 200 });`,
    `thresholds: {
       "checks{check:good}": ["rate==0.5"], "http_req_failed{name:same}": ["rate==0.5"],
       "http_reqs{method:GET}": ["count==2500"], "http_reqs{id:t1}": ["count==1"],
     },`,
  );
  const { exitCode, result, stderr } = await runForResult(["run", file, "--workers", "1"]);
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([true, true, true, false]);
  expect(exitCode).toBe(99);
  expect(result.messages.join()).toContain("threshold http_reqs{id:t1} could not be evaluated");
  expect(stderr).toContain("too many tags (limits: 2,000 combinations");
  expect(result.checks).toMatchObject([{ name: "good", passes: 1250, fails: 1250 }]);
});

test.for(["test", "count", "passed", "schema"])(
  "the secret %j spoils neither the result nor the summary",
  async (secret) => {
    const server = await startServer();
    const file = scenario(
      server.url,
      `executor: "shared-iterations"`,
      `await context.http.get("/"); context.log(context.env.API_KEY);`,
      `env: { API_KEY: {} }, thresholds: { http_reqs: ["count==1"] },`,
    );
    const path = `${temporaryFolder()}/r.json`;
    const { exitCode, stdout, stderr } = await runBearhug([
      "run",
      file,
      "--env",
      `API_KEY=${secret}`,
      "--out",
      `json=${path}`,
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain("passed");
    expect(stderr).toContain("API_KEY: its value is a common word or short");
    expect(parseResult(JSON.parse(readFileSync(path, "utf8"))).problems).toEqual([]);
  },
);

test("secrets are masked in addresses, echoed credentials, warnings and errors of the module", async () => {
  const server = await startServer((request, response) =>
    response.end(`you sent ${request.headers.authorization ?? ""} to ${request.url ?? ""}`),
  );
  const secret = 'p@ss word"/9-hunter2';
  const file = scenario(
    server.url,
    `executor: "shared-iterations"`,
    `const { http, env } = context;
     const response = await http.get("/echo?t=" + env.API_KEY, { auth: { username: "bob", password: env.API_KEY } });
     response.json();`,
    `env: { API_KEY: {} },`,
  );
  const path = `${temporaryFolder()}/r.json`;
  const { stdout, stderr } = await runBearhug([
    "run",
    file,
    "--env",
    `API_KEY=${secret}`,
    "--out",
    `json=${path}`,
  ]);
  const output = stdout + stderr + readFileSync(path, "utf8");
  expect(output).toContain("did not respond with JSON");
  for (const piece of [
    "hunter2",
    "ss%20word",
    Buffer.from(`bob:${secret}`).toString("base64").slice(8, 24),
  ]) {
    expect(output).not.toContain(piece);
  }
  const modules = writeTest(
    `console.log(process.env.MY_TOKEN); throw new Error("using " + process.env.MY_TOKEN);`,
  );
  const early = await runBearhug(["run", modules], undefined, { MY_TOKEN: "early-secret" });
  expect(early.exitCode).toBe(107);
  expect(early.stdout + early.stderr).not.toContain("early-secret");
});

test.for([
  ["an endless loop", `tell(); while (true) {}`],
  [
    "waiting for ever, in the load workers alone",
    `const { workerData } = await import("node:worker_threads");
if (workerData.role === "load") { tell(); await new Promise((resolve) => setTimeout(resolve, 1e6)); }`,
  ],
])("two interruptions end a run whose module never finishes loading: %s", async ([, statement]) => {
  const marker = `${temporaryFolder()}/told`;
  const file = writeTest(`import { writeFileSync } from "node:fs";
import { defineTest } from "@bearhug/sdk";
const tell = () => writeFileSync(${JSON.stringify(marker)}, "");
${statement}
export default defineTest({
  baseUrl: "http://127.0.0.1:1",
  scenarios: { s: { executor: "constant-vus", vus: 2, duration: "1s", exec: ({ http }) => http.get("/") } },
});`);
  // The first load worker runs in the thread that described the test, which has loaded the module already.
  const run = startBearhug(["run", file, "--workers", "2"]);
  await expect.poll(() => existsSync(marker), { timeout: 20_000 }).toBe(true);
  // Waits until the first signal is handled: the second one would kill a process that already exits.
  const handled = new Promise<void>((resolve) => {
    run.child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("press Ctrl+C again to stop now")) resolve();
    });
  });
  run.child.kill("SIGINT");
  await handled;
  run.child.kill("SIGINT");
  const interruptedAt = performance.now();
  const { exitCode } = await run;
  expect(performance.now() - interruptedAt).toBeLessThan(8000);
  expect(exitCode).toBe(105);
});

test("an impossible rate is refused, and so is a target with a path", async () => {
  const file = scenario(
    "http://127.0.0.1:1",
    `executor: "constant-arrival-rate", rate: 1e20, duration: "1s"`,
    "",
  );
  const { exitCode, stderr } = await runBearhug(["run", file, "--target", "http://127.0.0.1:2/api"]);
  expect(exitCode).toBe(104);
  expect(stderr).toContain("must not have a path");
  const again = await runBearhug(["run", file]);
  expect(again.exitCode).toBe(104);
  expect(again.stderr).toContain("Scenario s: its rate would start more than");
});

test("arrivals that the generator could not start in time are dropped, not forgotten", async () => {
  const file = scenario(
    "http://127.0.0.1:1",
    `executor: "constant-arrival-rate", rate: 500, duration: "2s"`,
    `const until = performance.now() + 4; while (performance.now() < until);`,
  );
  const { result } = await runForResult(["run", file, "--workers", "1"]);
  expect(result.accounting.iterations.scheduled).toBe(1000);
  expect(result.accounting.iterations.dropped).toBeGreaterThan(0);
  expectBalanced(result);
});

test("thousands of virtual users without I/O leave the worker responsive", async () => {
  const file = scenario(
    "http://127.0.0.1:1",
    `executor: "constant-vus", vus: 2000, duration: "2s", gracefulStop: "0s"`,
    "",
    "expectNoRequests: true,",
  );
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(0);
  expect(result.durationMs).toBeLessThan(6000);
  expectBalanced(result);
});

test("the gauge of virtual users shows how many were busy", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 50));
  const file = scenario(
    server.url,
    `executor: "constant-vus", vus: 5, duration: "2s"`,
    `await context.http.get("/");`,
    `thresholds: { vus: ["value>=4"] },`,
  );
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(0);
  expect(result.metrics["vus"]).toMatchObject({ values: { max: 5 } });
  expect(result.intervals.slice(0, 2).map(({ vus }) => vus >= 4)).toEqual([true, true]);
  expect(result.intervals.at(-1)?.atMs).toBeLessThanOrEqual(Math.max(result.durationMs, 2001));
});

test("requests that outlive their iterations are interrupted at the end, not lost", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 700));
  const file = scenario(
    server.url,
    `executor: "shared-iterations"`,
    `setTimeout(() => void context.http.get("/slow").catch(() => undefined), 5); await context.sleep("2ms"); setTimeout(() => undefined, 50);`,
  );
  const { result } = await runForResult(["run", file]);
  expect(sum(result, "lost")).toBe(0);
  expectBalanced(result);
});

test("a redirect loop fails, and `expect` applies to the last response", async () => {
  const server = await startServer((request, response) => {
    const isLoop = request.url === "/loop";
    if (isLoop || request.url === "/redirect")
      response.writeHead(302, { location: isLoop ? "/loop" : "/end" });
    response.end();
  });
  const file = scenario(
    server.url,
    `executor: "shared-iterations"`,
    `const { http, check } = context;
     check(await http.get("/redirect", { expect: 200 }), { arrived: (r) => r.status === 200 && r.url.endsWith("/end") });
     check(await http.get("/loop"), { ended: (r) => r.error?.code === "TOO_MANY_REDIRECTS" });`,
    `thresholds: { checks: ["rate==1"] },`,
  );
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(0);
  expect(result.accounting.requests).toMatchObject([
    { name: "GET /loop", started: 11, succeeded: 10, failed: 1 },
    { name: "GET /redirect", started: 1, succeeded: 1, failed: 0 },
    { name: "GET /end", started: 1, succeeded: 1, failed: 0 },
  ]);
  expect(result.errors.map(({ code }) => code)).toEqual(["TOO_MANY_REDIRECTS"]);
});

test("instant refusals do not hide the times of expected responses", async () => {
  let requests = 0;
  const server = await startServer((_request, response) => {
    if (requests++ % 3 > 0) response.writeHead(429).end();
    else setTimeout(() => response.end("hello\n"), 60);
  });
  const file = scenario(
    server.url,
    `executor: "shared-iterations", iterations: 30`,
    `await context.http.get("/");`,
    `thresholds: { "http_req_duration{expected_response:true}": ["med>=59ms"], http_req_failed: ["rate<70%"] },`,
  );
  const { exitCode, result, stdout } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  const { http_req_duration: all } = result.metrics;
  const expected = result.expectedResponses?.["http_req_duration"];
  expect(all).toMatchObject({ type: "trend", values: { count: 30 } });
  expect(expected).toMatchObject({ type: "trend", values: { count: 10 } });
  expect(expected?.type === "trend" && expected.values.min).toBeGreaterThanOrEqual(59);
  expect(all?.type === "trend" && all.values.med).toBeLessThan(59);
  expect(stdout).toMatch(/http_req_duration .*\n +\{expected_response:true\} +[56]\d/);
});
