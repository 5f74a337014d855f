import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { version } from "@bearhug/text/version";
import { expect, test } from "vitest";

import { describeFile } from "../../src/test-set/describe-file.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { optionsOf } from "../../../plan/test/test-file/tests-for-plans.ts";

const home = `import { defineTest } from "@bearhug/sdk";
console.log("loaded");
export default defineTest({
  name: "Home page",
  tags: { team: "shop" },
  setup: () => { throw new Error("setup ran"); },
  scenarios: {
    browse: { executor: "constant-vus", vus: 10, duration: "30s", exec: () => { throw new Error("exec ran"); } },
    buy: { executor: "shared-iterations", exec: () => undefined },
  },
  thresholds: { "http_req_failed{scenario:buy}": ["rate<1%"] },
});
`;

/** Makes a folder with these files, for tests and others. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const name of ["load", "node_modules/a"]) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("list --json gives tests, scenarios and thresholds with their places; of a test, only the module is run", async () => {
  const folder = folderOf({
    "load/home.load.ts": home,
    "load/notes.ts": "throw new Error();",
    "node_modules/a/other.load.js": "throw new Error();",
  });
  const { exitCode, stdout, stderr } = await runBearhug(["list", "--json"], folder);
  expect(JSON.parse(stdout)).toEqual({
    schema: "bearhug/list@1",
    tool: { name: "bearhug", version },
    tests: [
      {
        file: "load/home.load.ts",
        name: "Home page",
        line: 3,
        column: 16,
        scenarios: [
          { name: "browse", executor: "constant-vus", line: 8, column: 5 },
          { name: "buy", executor: "shared-iterations", line: 9, column: 5 },
        ],
        thresholds: [
          { metric: "http_req_failed{scenario:buy}", expression: "rate<1%", line: 11, column: 51 },
        ],
        tags: { team: "shop" },
      },
    ],
    problems: [],
  });
  expect(stderr).toBe("loaded  (console)\n");
  expect(exitCode).toBe(0);
});

test("list reports the problems of all tests at once, in the format of compilers, beside the valid tests", async () => {
  const folder = folderOf({
    "load/a.load.ts": home,
    "load/b.load.ts": `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "ftp://example.com",
  scenarios: { s: { executor: "constant-vus", vus: 0, duration: "1s", exec: () => undefined } },
});`,
    "load/c.load.ts": "export default ;",
    "load/d.load.ts": "\nthrow new Error('no database');",
  });
  const { exitCode, stdout, stderr } = await runBearhug(["list", "load"], folder);
  expect(stdout.split("\n")).toEqual([
    "Home page  load/a.load.ts:3:16",
    "  browse                         constant-vus",
    "  buy                            shared-iterations",
    "  http_req_failed{scenario:buy}  rate<1%",
    "",
  ]);
  expect(stderr.split("\n").filter((line) => line.includes(": error: "))).toEqual([
    expect.stringMatching(/^load\/b\.load\.ts:3:3: error: baseUrl must be an http or https address/),
    "load/b.load.ts:4:47: error: scenarios.s.vus must be 1 or more, but is 0.",
    'load/c.load.ts:1:16: error: Unexpected ";"',
    "load/d.load.ts:2:7: error: The test cannot be loaded: Error: no database",
  ]);
  expect(exitCode).toBe(104);
});

test("list reports everything at once that is no test", async () => {
  const folder = folderOf({ "load/home.load.ts": home });
  const { exitCode, stderr } = await runBearhug(
    ["list", "nowhere.ts", "visit.har", "load/*.spec.ts", "node_modules"],
    folder,
  );
  expect(stderr.split("\n")).toEqual([
    "bearhug: There is no file nowhere.ts.",
    "bearhug: visit.har is a capture, not a test. Make a test of it: bearhug import visit.har.",
    "bearhug: No file matches load/*.spec.ts.",
    "bearhug: node_modules has no tests: no file in it ends in .load.ts, .load.mts, .load.js or .load.mjs.",
    "",
  ]);
  expect(exitCode).toBe(104);
});

test("a module that never finishes loading is abandoned, and reported at its test", async () => {
  const folder = folderOf({ "load/stuck.load.ts": "for (;;);" });
  const file = join(folder, "load/stuck.load.ts");
  const warn = (): void => undefined;
  const described = await describeFile(file, { options: optionsOf(), timeoutMs: 200, warn });
  const message =
    "The test cannot be loaded: it had not finished loading after 200 ms, as with a top-level await that does not settle, or an endless loop";
  expect(described).toEqual({ problems: [{ code: "INVALID_TEST", file, line: 1, column: 1, message }] });
});
