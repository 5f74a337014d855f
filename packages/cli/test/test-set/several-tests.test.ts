import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { startBearhug, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { readOutputs } from "../../../report/test/github/runner.ts";
import { startServer } from "../end-to-end/test-server.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const source = (url: string, path: string, rest = ""): string => `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: { visit: { executor: "shared-iterations", iterations: 2, exec: ({ http }) => http.get("${path}") } },
  ${rest}
});
`;

const failing = `thresholds: { http_reqs: ["count>100"] },`;

test("globs run their tests one after another, with one table and the most severe exit code", async () => {
  const { url, counts } = await startServer();
  const folder = folderOf({
    "load/a.load.ts": source(url, "/a", failing),
    "load/b.load.ts": source(url, "/b", 'name: "Second",'),
    "load/c.ts": source(url, "/c"),
  });
  const { exitCode, stdout, stderr } = await runBearhug(
    ["run", "load/*.load.ts", "--out", "json=results/{test}.json"],
    folder,
    { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: join(folder, "outputs") },
  );
  expect(stderr).toMatch(/load\/a\.load\.ts: test 1 of 2\n[^]*load\/b\.load\.ts: test 2 of 2\n/);
  expect(stdout.slice(stdout.indexOf("\nTests")).split("\n")).toEqual([
    "",
    "Tests  1 passed, 1 failed",
    "     test       requests  failed  exit code  why",
    "  ✗  a.load.ts         2       0         99  http_reqs: count>100 (was 2)",
    "  ✓  Second            2       0",
    "",
  ]);
  expect([...counts]).toEqual([
    ["GET /a", 2],
    ["GET /b", 2],
  ]);
  for (const name of ["a", "b"])
    expect(JSON.parse(readFileSync(join(folder, `results/${name}.json`), "utf8"))).toMatchObject({
      test: { file: `load/${name}.load.ts` },
    });
  expect(exitCode).toBe(99);
  // A later step of GitHub Actions reads the outcome of all tests, not that of the last one.
  const outputs = readOutputs(readFileSync(join(folder, "outputs"), "utf8"));
  expect(outputs).toEqual({ verdict: "failed", "exit-code": "99", result: "" });
});

test("no test runs if one of them is not valid, or if reports would overwrite each other", async () => {
  const { url, total } = await startServer();
  const folder = folderOf({
    "a.load.ts": source(url, "/a"),
    "b.load.ts": source("ftp://example.com", "/b"),
    "c.load.ts": source(url, "/c"),
  });
  const invalid = await runBearhug(["run", "*.load.ts"], folder);
  expect(invalid.stderr).toMatch(
    /^bearhug: b\.load\.ts:3:3: error: baseUrl must be an http or https address/,
  );
  expect(invalid.exitCode).toBe(104);
  const shared = await runBearhug(
    ["run", "a.load.ts", "c.load.ts", "--out", "json", "--out", "html=o/r.html"],
    folder,
  );
  expect(shared.stderr.split("\n")).toEqual([
    "bearhug: --out json: 2 tests would write the same file. Put {test} into the path, such as json={test}.json.",
    "bearhug: --out html=o/r.html: 2 tests would write the same file. Put {test} into the path, such as html=o/r-{test}.html.",
    "",
  ]);
  expect(shared.exitCode).toBe(104);
  expect(total()).toBe(0);
});

test("--grep chooses tests before they are validated, and says so if none is left", async () => {
  const { url, counts } = await startServer();
  const folder = folderOf({
    "a.load.ts": source(url, "/a", 'tags: { team: "shop" },'),
    "b.load.ts": source(url, "/b", 'env: { TOKEN: { type: "string" } },'),
  });
  const { exitCode } = await runBearhug(["run", "*.load.ts", "--grep", "team=SHOP"], folder);
  expect([...counts]).toEqual([["GET /a", 2]]);
  expect(exitCode).toBe(0);
  const none = await runBearhug(["run", "*.load.ts", "--grep", "nobody"], folder);
  expect(none.stderr).toBe(
    "bearhug: --grep nobody: none of 2 tests has this in its file, name, scenarios or tags.\n",
  );
  expect(none.exitCode).toBe(104);
});

test("--together runs all tests at the same time", async () => {
  let waiting: (() => void)[] = [];
  const { url } = await startServer((_request, response) => {
    waiting.push(() => response.end("hello"));
    // Each test has one request under way: the server responds only when both have arrived.
    if (waiting.length < 2) return;
    for (const answer of waiting) answer();
    waiting = [];
  });
  const folder = folderOf({ "a.load.ts": source(url, "/a"), "b.load.ts": source(url, "/b") });
  const { exitCode, stdout } = await runBearhug(["run", ".", "--together", "--workers", "1"], folder);
  expect(stdout).toContain("\nTests  2 passed\n");
  expect(exitCode).toBe(0);
});

test("after Ctrl+C, tests that have not begun are not run", async () => {
  const { url, counts } = await startServer((request, response) => {
    if (request.url === "/a") run.child.kill("SIGINT");
    setTimeout(() => response.end("hello"), 50);
  });
  const folder = folderOf({ "a.load.ts": source(url, "/a"), "b.load.ts": source(url, "/b") });
  const run = startBearhug(["run", "a.load.ts", "b.load.ts"], folder);
  const { exitCode, stdout } = await run;
  expect(stdout).toMatch(/\n {2}\? {2}b\.load\.ts +105 {2}not run\n$/);
  expect(counts.has("GET /b")).toBe(false);
  expect(exitCode).toBe(105);
});

test("bearhug.config.ts sets tests and options for any folder of the project; the command line overrides it", async () => {
  const { url } = await startServer();
  const folder = folderOf({
    "bearhug.config.ts": `import { defineConfig } from "@bearhug/sdk";
export default defineConfig({ tests: ["load/*.load.ts"], out: ["json=results/{test}.json"], seed: 7 });`,
    "load/a.load.ts": source(url, "/a"),
    "elsewhere/readme.txt": "",
  });
  const { exitCode } = await runBearhug(["run"], join(folder, "elsewhere"));
  expect(exitCode).toBe(0);
  const seedOf = (path: string): unknown =>
    (JSON.parse(readFileSync(join(folder, path), "utf8")) as { seed: unknown }).seed;
  expect(seedOf("results/a.json")).toBe(7);
  await runBearhug(["run", "--seed", "8", "--out", "json=own.json"], folder);
  expect(seedOf("own.json")).toBe(8);
  expect(seedOf("results/a.json")).toBe(7);
});

test("a problem with an option names bearhug.config.ts if it was set there, or the flag of the command line", async () => {
  const folder = folderOf({
    "a.load.ts": source("http://127.0.0.1:1", "/a"),
    "bearhug.config.ts": `export default { envFile: ".env.load", link: "900x" };`,
  });
  const { exitCode, stderr } = await runBearhug(["run", "a.load.ts", "--link", "80x"], folder);
  expect(stderr.split("\n")).toEqual([
    "bearhug: bearhug.config.ts: envFile .env.load: there is no such file.",
    "bearhug: --link 80x: must be a speed in bits, such as 900Mbps, 1Gbps or 10Gbit/s.",
    "",
  ]);
  expect(exitCode).toBe(104);
});

test("every problem of bearhug.config.ts is reported, and nothing runs", async () => {
  const { url, total } = await startServer();
  const folder = folderOf({
    "bearhug.config.ts": `export default { tests: [], workers: -1, colour: "red" };`,
    "throws.ts": `console.log("printed"); throw new Error("no such thing");`,
    "exits.ts": `process.exit(0);`,
    "function.ts": `export default async () => ({ workers: 1 });`,
    "value.ts": `export default { workers: () => 1 };`,
    "a.load.ts": source(url, "/a"),
  });
  const wrong = await runBearhug(["run", "a.load.ts"], folder);
  expect(wrong.stderr.split("\n")).toEqual([
    expect.stringMatching(/^bearhug: bearhug\.config\.ts: tests must /),
    expect.stringMatching(/^bearhug: bearhug\.config\.ts: workers must be 0 or more/),
    expect.stringMatching(/^bearhug: bearhug\.config\.ts: colour is not an option of bearhug\.config\.ts/),
    "",
  ]);
  expect(wrong.exitCode).toBe(104);
  const ends = {
    "throws.ts": "bearhug: throws.ts:1:1: cannot be loaded: Error: no such thing\n",
    "exits.ts": "bearhug: exits.ts:1:1: cannot be loaded: its process ended, or took longer than 20000 ms\n",
    "function.ts":
      "bearhug: function.ts:1:1: cannot be loaded: the default export must be plain data, but is a function\n",
    "value.ts": "bearhug: value.ts:1:1: cannot be loaded: workers must be plain data, but is a function\n",
    "nowhere.ts": "bearhug: --config nowhere.ts: there is no such file.\n",
  };
  for (const [file, stderr] of Object.entries(ends))
    expect(await runBearhug(["run", "a.load.ts", "--config", file], folder)).toMatchObject({
      exitCode: 104,
      stderr,
      stdout: "",
    });
  expect(total()).toBe(0);
  expect(existsSync(join(folder, "result.json"))).toBe(false);
});
