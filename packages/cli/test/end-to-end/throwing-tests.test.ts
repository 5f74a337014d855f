import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Statements that throw. In the test, each is on its own line. */
const throws = [
  { line: `throw new Error("sync");`, code: "TEST_THREW" },
  { line: `throw null;`, code: "TEST_THREW", hasNoStack: true },
  { line: `throw "a text";`, code: "TEST_THREW", hasNoStack: true },
  { line: `throw Object.freeze(new Error("frozen"));`, code: "TEST_THREW" },
  { line: `await Promise.reject(new Error("async"));`, code: "TEST_THREW" },
  { line: `throw { toString() { throw new Error("no text"); } };`, code: "TEST_THREW", hasNoStack: true },
  { line: `(function down(): void { down(); })();`, code: "TEST_THREW" },
  {
    line: `throw Object.defineProperty(new Error("huge"), "message", { value: "x".repeat(5_000_000) });`,
    code: "TEST_THREW",
  },
  {
    line: `throw Object.defineProperty(new Error("trap"), "stack", { get() { throw new Error("no stack"); } });`,
    code: "TEST_THREW",
    hasNoStack: true,
  },
  { line: `throw new Proxy(new Error("mute"), traps);`, code: "TEST_THREW" },
  { line: `await Promise.reject(new Proxy(new Error("mute"), traps));`, code: "TEST_THREW" },
  { line: `throw new Proxy(function mute() {}, traps);`, code: "TEST_THREW", hasNoStack: true },
  {
    line: `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;`,
    code: "TEST_THREW",
    hasNoStack: true,
  },
  {
    line: `throw Object.setPrototypeOf(new Error("odd ancestors"), new Proxy({}, traps));`,
    code: "TEST_THREW",
    hasNoStack: true,
  },
  { line: `throw Object.setPrototypeOf(new Error("endless ancestors"), endless());`, code: "TEST_THREW" },
  { line: `const ring = new Error("ring"); ring.cause = ring; throw ring;`, code: "TEST_THREW" },
  { line: `throw new AggregateError([new Proxy({}, traps)], "several");`, code: "TEST_THREW" },
  { line: `throw runInNewContext("new Error('elsewhere')");`, code: "TEST_THREW" },
  { line: `throw { get then() { throw new Error("no then"); } };`, code: "TEST_THREW", hasNoStack: true },
  { line: `throw Symbol("a symbol");`, code: "TEST_THREW", hasNoStack: true },
  { line: `throw function thrown() {};`, code: "TEST_THREW", hasNoStack: true },
  { line: `throw "x".repeat(200_000_000);`, code: "TEST_THREW", hasNoStack: true },
  { line: `return { get then() { throw new Error("no then"); } };`, code: "TEST_THREW" },
  {
    line: `return Object.assign(Promise.resolve(), { then() { throw new Proxy(new Error("then"), traps); } });`,
    code: "TEST_THREW",
  },
  { line: `metrics.found.add(new Proxy({}, traps) as never);`, code: "TEST_THREW" },
  { line: `metrics.size.add(Object.create(null) as never);`, code: "TEST_THREW" },
  { line: `void Promise.reject(new Error("unhandled")); await sleep("20ms");`, code: "UNHANDLED_REJECTION" },
  {
    line: `void Promise.reject(new Proxy(new Error("mute"), traps)); await sleep("20ms");`,
    code: "UNHANDLED_REJECTION",
  },
  {
    line: `setTimeout(() => { throw new Proxy(new Error("mute"), traps); }, 1); await sleep("20ms");`,
    code: "UNCAUGHT_EXCEPTION",
  },
  {
    line: `setTimeout(() => { throw new Error("late"); }, 1); await sleep("20ms");`,
    code: "UNCAUGHT_EXCEPTION",
  },
] as const;

const helpers = `
const fail = () => { throw new Error("gotcha"); };
const traps = Object.fromEntries(Reflect.ownKeys(Reflect).filter((key) => typeof key === "string").map((key) => [key, fail]));
const endless = (): object => new Proxy({}, { getPrototypeOf: endless });`;

test.each([2, 0])(
  "whatever a test throws is counted at its own line, with one frame of code, and ends no VU (--workers %i)",
  async (workers) => {
    const server = await startServer();
    const before = `import { runInNewContext } from "node:vm";
import { defineTest } from "@bearhug/sdk";
${helpers}
export default defineTest({
  baseUrl: "${server.url}", metrics: { found: { type: "rate" }, size: { type: "trend" } },
  scenarios: { s: { executor: "shared-iterations", vus: 4, iterations: ${throws.length * 10}, exec: async ({ http, iteration, metrics, sleep }) => {
    await http.get("/"); await sleep("3ms");
    switch (iteration.index % ${throws.length}) {`;
    const firstLine = before.split("\n").length + 1;
    const cases = throws.map(({ line }, index) => `case ${index}: { ${line} break; }`);
    const file = writeTest(`${before}\n${cases.join("\n")}\n} } } } });`);
    const { exitCode, stdout, stderr, result } = await runForResult([
      "run",
      file,
      "--workers",
      String(workers),
    ]);
    expect(exitCode, stderr).toBe(99);
    const { iterations } = result.accounting;
    expect(iterations).toMatchObject({ started: throws.length * 10, failed: throws.length * 10, lost: 0 });
    expectBalanced(result);
    expect(server.total()).toBe(throws.length * 10);
    for (const [index, thrown] of throws.entries()) {
      if ("hasNoStack" in thrown) continue;
      const atLine = result.errors.filter(({ source }) => source?.line === firstLine + index);
      expect(atLine, thrown.line).toMatchObject([{ code: thrown.code, count: 10 }]);
      expect(atLine[0]?.frame).toContain(thrown.line.slice(0, 30));
    }
    const withoutLine = result.errors.filter(({ source }) => (source ?? null) === null);
    const counted = withoutLine.reduce((total, { count }) => total + count, 0);
    expect(counted).toBe(throws.filter((thrown) => "hasNoStack" in thrown).length * 10);
    for (const { message } of result.errors) expect(message.length).toBeLessThan(10_000);
    expect(stdout.length).toBeLessThan(20_000);
  },
  60_000,
);

const ownLine = { line: 4, file: expect.stringMatching(/own-lines\.ts$/) as string };

test("an error that an npm client throws is shown at the author's own line, and so is one deep in a package in setup", async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(500).end();
  });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules", "deep"), { recursive: true });
  symlinkSync(
    fileURLToPath(new URL("../../node_modules/axios", import.meta.url)),
    join(folder, "node_modules", "axios"),
  );
  writeFileSync(
    join(folder, "node_modules", "deep", "index.js"),
    'exports.fail = (steps) => { if (steps === 0) throw new Error("deep"); exports.fail(steps - 1); };',
  );
  const file = join(folder, "own-lines.ts");
  const runWith = async (stages: string, exec: string) => {
    writeFileSync(
      file,
      `import { defineTest } from "@bearhug/sdk";
import axios from "axios";
import { fail } from "deep";
const go = async () => { ${exec} };
export default defineTest({
  baseUrl: "${server.url}", ${stages}
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 2, exec: go } },
});`,
    );
    return runForResult(["run", file, "--workers", "1"]);
  };
  const thrown = await runWith("", `await axios.get("${server.url}/x");`);
  expect(thrown.result.errors).toMatchObject([
    { count: 2, source: ownLine, frame: expect.stringContaining("> 4 | const go = async") as string },
  ]);
  expect(thrown.stdout).toContain("own-lines.ts:4:");
  expect(thrown.stdout).not.toContain("node_modules");
  const failed = await runWith("setup: go,", "fail(20);");
  expect(failed.exitCode).toBe(107);
  expect(failed.stdout).toContain("own-lines.ts:4:");
});

test.each([
  { what: "a call", code: `await http.get("/none", { throwOnError: true });` },
  {
    what: "one of several calls",
    code: `await Promise.all([http.get("/"), http.get("/none", { throwOnError: true })]);`,
  },
  {
    what: "a call without a response",
    code: `await http.get("http://127.0.0.1:1/", { throwOnError: true });`,
  },
  { what: "a redirected call", code: `await http.get("/moved", { throwOnError: true });` },
])("a request that throws is shown at the line that awaits it: $what", async ({ code }) => {
  const server = await startServer(({ url }, response) => {
    if (url === "/moved") response.writeHead(302, { location: "/none" }).end();
    else response.writeHead(url === "/" ? 200 : 404).end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}", allowHosts: ["127.0.0.1"],
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 2, exec: async ({ http }) => {
    ${code}
  } } },
});`);
  const { result, stdout } = await runForResult(["run", file, "--workers", "1"]);
  const thrown = result.errors.filter(({ code: one }) => one === "TEST_THREW");
  expect(thrown, stdout).toMatchObject([{ count: 2, source: { line: 5 } }]);
  expect(thrown[0]?.message).toContain("failed: ");
});

test("a threshold judges the failures that it selects: others, and iterations that throw, may be 5 % of theirs", async () => {
  const server = await startServer((request, response) => {
    response.writeHead(request.url === "/pay" ? 500 : 200).end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", iterations: 10 } as const;
export default defineTest({ baseUrl: "${server.url}",
scenarios: {
  reads: { ...load, exec: async ({ http, iteration }) => { await http.get("/"); if (iteration.indexInVu > 3) throw new Error("an error page"); } },
  pays: { ...load, exec: async ({ http, iteration }) => { await http.get(iteration.indexInVu > 3 ? "/pay" : "/", { throwOnError: true }); } },
}, thresholds: { http_req_failed: ["rate<70%"] } });`);
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  expect(result.messages).toEqual([
    expect.stringMatching(
      /^60\.00 % of iterations of reads failed; first error: Error: an error page at .*:5:/,
    ),
  ]);
  const filtered = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", iterations: 10 } as const;
export default defineTest({ baseUrl: "${server.url}",
scenarios: {
  reads: { ...load, exec: async ({ http }) => { await http.get("/"); } },
  pays: { ...load, exec: async ({ http, iteration }) => { await http.get(iteration.indexInVu > 3 ? "/pay" : "/"); } },
}, thresholds: { "http_req_failed{scenario:reads}": ["rate<1%"] } });`);
  const pays = await runForResult(["run", filtered]);
  expect(pays.exitCode).toBe(99);
  expect(pays.result.messages).toEqual([
    expect.stringMatching(/^60\.00 % of requests failed that no threshold judges: HTTP_500 at /),
  ]);
});
