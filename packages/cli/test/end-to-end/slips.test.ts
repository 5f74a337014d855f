import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { runForResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const three = (url: string): string => `import { defineTest } from "bearhug";
const load = { executor: "shared-iterations", iterations: 2 } as const;
export default defineTest({
  baseUrl: "${url}",
  env: { REGION: { default: "eu" } },
  scenarios: {
    browse: { ...load, exec: ({ http }) => http.get("/browse") },
    search: { ...load, exec: ({ http }) => http.get("/search") },
    buy: { ...load, exec: ({ http }) => http.get("/buy") },
  },
});`;

function linesOf(stderr: string): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace("bearhug: ", ""));
}

describe("--scenario", () => {
  test.each([
    ["given twice", ["--scenario", "buy", "--scenario", "browse"]],
    ["with a comma", ["--scenario", "browse, buy"]],
  ])("%s runs both", async (_, options) => {
    const server = await startServer();
    const file = writeTest(three(server.url));
    const { exitCode, result } = await runForResult(["run", file, ...options]);
    expect(exitCode).toBe(0);
    expect(result.plan.scenarios.map(({ name }) => name)).toEqual(["browse", "buy"]);
    expect(Object.fromEntries(server.counts)).toEqual({ "GET /browse": 2, "GET /buy": 2 });
  });
});

test("an option that takes one value is refused the second time, and nothing is sent", async () => {
  const server = await startServer();
  const file = writeTest(three(server.url));
  const options = ["--vus", "1", "--vus=2", "--seed", "1", "--env", "REGION=eu", "--env", "REGION=us"];
  const { exitCode, stderr } = await runBearhug(["run", file, ...options]);
  expect([exitCode, linesOf(stderr)]).toEqual([
    104,
    [
      "--vus: was given 2 times, but takes one value.",
      "--env REGION: was given several times; give it once.",
    ],
  ]);
  const bench = await runBearhug([`${server.url}/`, "-c5", "--connections", "6", "-n", "1", "extra"]);
  expect([bench.exitCode, linesOf(bench.stderr)]).toEqual([
    104,
    [
      "-c: was given 2 times, but takes one value.",
      `"extra": unexpected argument. If it is a host to load, too, write http://extra/.`,
    ],
  ]);
  expect(server.total()).toBe(0);
});

test("a variable that the test does not declare is refused, with a suggestion", async () => {
  const server = await startServer();
  const { exitCode, stderr } = await runBearhug(["run", writeTest(three(server.url)), "--env", "REGOIN=us"]);
  expect([exitCode, linesOf(stderr)]).toEqual([
    104,
    ["--env REGOIN: the test declares no such variable. Did you mean REGION?"],
  ]);
  expect(server.total()).toBe(0);
});

describe("a test file in the place of an address", () => {
  test("is refused with a hint at bearhug run, wherever it stands", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "load"));
    const path = "load/shop.ts";
    writeFileSync(join(folder, path), "");
    const expected = `"${path}" is a file, not an address. Did you mean "bearhug run ${path}"?`;
    for (const line of [
      [path, "--vus", "5"],
      ["-d", "1s", path],
    ]) {
      const { exitCode, stdout, stderr } = await runBearhug(line, folder);
      expect([exitCode, stdout, linesOf(stderr)]).toEqual([104, "", [expected]]);
    }
  });

  test("that does not exist is not taken for a host, unless it is written as one", async () => {
    const { exitCode, stderr } = await runBearhug(["shop.ts"], temporaryFolder());
    expect([exitCode, linesOf(stderr)]).toEqual([
      104,
      ["There is no file shop.ts. If it is an address, write http://shop.ts."],
    ]);
    const server = await startServer();
    const script = await runBearhug([`${server.url.replace("http://", "")}/app.js`, "-n", "3"]);
    expect([script.exitCode, [...server.counts]]).toEqual([0, [["GET /app.js", 3]]]);
  });
});

describe("help for a command", () => {
  test.each([
    ["that does not exist is refused with the nearest command", "benhc", "Did you mean bench?"],
    ["that is similar to no other is refused with a reference to the help", "nosuch", "See bearhug --help."],
  ])("%s", async (_, name, hint) => {
    const { exitCode, stdout, stderr } = await runBearhug(["help", name]);
    expect([exitCode, stdout, linesOf(stderr)]).toEqual([
      104,
      "",
      [`There is no command "${name}". ${hint}`],
    ]);
  });

  test("that exists is printed", async () => {
    const { exitCode, stdout } = await runBearhug(["help", "bench"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: bearhug bench /);
  });
});

describe("a file that is not a test is refused with one sentence on how to make it one", () => {
  const k6 = /^\S*your-test\.ts:1:\d+: This is a k6 script\. Move its options .*defineTest/;
  const body = "export default function () {}";
  test.each([
    [`import http from "k6/http"; import { sleep } from "k6"; http.get(sleep); ${body}`, k6],
    [`export const options = { vus: 1, duration: "1s" }; ${body}`, k6],
    [
      body,
      /^\S*your-test\.ts:1:\d+: The default export is a function\. Export a test instead: export default defineTest/,
    ],
    [
      "export const shop = 1;",
      /^\S*your-test\.ts:1:1: The file has no default export\. Export a test: export default defineTest/,
    ],
    [
      `import { defineTest } from "bearhug"; export const shop = defineTest({ scenarios: {} });`,
      /^\S*your-test\.ts:1:1: The file exports its test as shop\. Make it the default export: export default shop\.$/,
    ],
    [
      `export default { scenarios: { a: { executor: "constant-vus", duration: "1s", exec() {} } } };`,
      /^\S*your-test\.ts:1:\d+: The default export is a plain object\. Wrap it: export default defineTest/,
    ],
  ])("%s", async (source, expected) => {
    const { exitCode, stderr } = await runBearhug(["run", writeTest(source)]);
    expect([exitCode, linesOf(stderr)]).toEqual([104, [expect.stringMatching(expected)]]);
  });
});

test("misspelled units are reported with their right spelling", async () => {
  const file = writeTest(`import { defineTest } from "bearhug";
export default defineTest({
  scenarios: { a: { executor: "constant-vus", duration: "1 sec", exec: () => 1 } },
  thresholds: { http_req_duration: ["p95<300msec", "p(99) < 0.5 sec"], http_req_failed: ["rate<1 percent"] },
} as never);`);
  const { exitCode, stderr } = await runBearhug(["run", file]);
  const withoutPlaces = linesOf(stderr).map((line) => line.replace(/ \(\S*your-test\.ts:[34]:\d+\)$/, ""));
  expect(stderr.match(/your-test\.ts:[34]:\d+/g)).toHaveLength(4);
  expect([exitCode, withoutPlaces]).toEqual([
    104,
    [
      `scenarios.a.duration: Duration "1 sec": did you mean "1s"?`,
      `thresholds.http_req_duration[0]: Threshold "p95<300msec": did you mean "p95<300ms"?`,
      `thresholds.http_req_duration[1]: Threshold "p(99) < 0.5 sec": did you mean "p(99) < 0.5s"?`,
      `thresholds.http_req_failed[0]: Threshold "rate<1 percent": did you mean "rate<1%"?`,
    ],
  ]);
});
