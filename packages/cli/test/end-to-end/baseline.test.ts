import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { TestResult } from "@bearhug/sdk";

import { readResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

function testOf(baseUrl: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ name: "home", baseUrl: "${baseUrl}", scenarios: {
  visits: { executor: "constant-vus", vus: 1, duration: "500ms", exec: async ({ http, sleep }) => { await http.get("/"); await sleep("5ms"); } },
} });`);
}

test("run --baseline compares with an earlier run in one step, in every report", async () => {
  const server = await startServer((_request, response) => response.end("hello"));
  const [file, folder] = [testOf(server.url), temporaryFolder()];
  const allowed = ["--allow", "generator", "--workers", "0"];
  expect(await runBearhug(["run", file, "--workers", "0", "--out", "json=base.json"], folder)).toMatchObject({
    exitCode: 0,
  });
  const outs = ["--out", "json=new.json", "--out", "markdown=new.md"];
  const run = await runBearhug(["run", file, "--baseline", "base.json", ...allowed, ...outs], folder);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^Comparison {2}this run against base\.json$/m);
  expect(run.stdout).toMatch(/http_req_duration p\(95\) .*UNDECIDED/);
  expect(run.stdout.replaceAll(/\s+/g, " ")).toContain("The run was too short");
  const { comparison } = readResult(join(folder, "new.json"), run);
  expect(comparison).toMatchObject({ verdict: "undecided", sides: "runs", new: { runs: [{ file: null }] } });
  expect(readFileSync(join(folder, "new.md"), "utf8")).toContain("### Comparison: ➖ UNDECIDED");
  const strict = ["--fail-on", "undecided"];
  const failed = await runBearhug(["run", file, "--baseline", "base.json", ...allowed, ...strict], folder);
  expect(failed.exitCode).toBe(99);
  expect(failed.stdout).toMatch(/^✗ failed: compared with the base: http_req_duration p\(50\)/);
});

test("run --baseline exits with 104 if the baseline is not comparable, and says why", async () => {
  const server = await startServer((_request, response) => response.end("hello"));
  const [file, folder] = [testOf(server.url), temporaryFolder()];
  await runBearhug(["run", file, "--workers", "0", "--out", "json=base.json"], folder);
  const path = join(folder, "base.json");
  const base = JSON.parse(readFileSync(path, "utf8")) as TestResult;
  writeFileSync(path, JSON.stringify({ ...base, test: { ...base.test, target: "http://127.0.0.1:1" } }));
  const rest = [
    "--baseline",
    "base.json",
    "--workers",
    "0",
    "--allow",
    "generator",
    "--out",
    "json=new.json",
  ];
  const { exitCode, stdout } = await runBearhug(["run", file, ...rest], folder);
  expect(exitCode).toBe(104);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "not compared: base.json loaded http://127.0.0.1:1, this run loaded",
  );
  expect(await runBearhug(["report", "new.json"], folder)).toMatchObject({ exitCode: 0 });
});

test("with --if-incomparable warn, a changed test passes without a comparison, but another target is still refused", async () => {
  const server = await startServer((_request, response) => response.end("hello"));
  const [file, folder] = [testOf(server.url), temporaryFolder()];
  await runBearhug(["run", file, "--workers", "0", "--out", "json=base.json"], folder);
  writeFileSync(file, readFileSync(file, "utf8").replace('"5ms"', '"6ms"'));
  const line = ["run", file, "--baseline", "base.json", "--workers", "0", "--if-incomparable", "warn"];
  const { exitCode, stdout, stderr } = await runBearhug([...line, "--out", "json=new.json"], folder);
  expect(exitCode, stderr).toBe(0);
  const why = "not compared: The code of the test changed between base.json and this run.";
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`✓ completed: ${why}`);
  expect(stdout).not.toContain("Comparison");
  const result = readResult(join(folder, "new.json"), { exitCode, stdout, stderr });
  expect(result).not.toHaveProperty("comparison");
  expect(result.notes.at(-1)).toContain(why);
  const elsewhere = await startServer((_request, response) => response.end("hello"));
  const moved = await runBearhug([...line, "--target", elsewhere.url], folder);
  expect(moved.exitCode).toBe(104);
});

test("the options of a comparison need a baseline that can be read", async () => {
  const folder = temporaryFolder();
  const file = testOf("http://127.0.0.1:1");
  expect(await runBearhug(["run", file, "--tolerance", "3%", "--allow", "load"], folder)).toMatchObject({
    exitCode: 104,
    stderr:
      "bearhug: --tolerance: needs a baseline. Add --baseline base.json.\nbearhug: --allow: needs a baseline. Add --baseline base.json.\n",
  });
  expect(await runBearhug(["run", file, "--baseline", "none.json"], folder)).toMatchObject({
    exitCode: 104,
    stderr: "bearhug: There is no file none.json.\n",
  });
});

test("variables with options of a comparison do not fail a run without a baseline, unless their value is wrong", async () => {
  const server = await startServer((_request, response) => response.end("hello"));
  const [line, folder] = [["run", testOf(server.url), "--workers", "0"], temporaryFolder()];
  const variables = { BEARHUG_IF_INCOMPARABLE: "warn", BEARHUG_TOLERANCE: "3%", BEARHUG_ALLOW: "load" };
  const { exitCode, stderr } = await runBearhug(line, folder, variables);
  expect(exitCode, stderr).toBe(0);
  expect(await runBearhug(line, folder, { BEARHUG_IF_INCOMPARABLE: "never" })).toMatchObject({
    exitCode: 104,
    stderr: "bearhug: BEARHUG_IF_INCOMPARABLE=never: must be fail or warn.\n",
  });
});

test("ab-test loads both targets in turns, and compares them", async () => {
  const hosts: string[] = [];
  const start = (): ReturnType<typeof startServer> =>
    startServer((request, response) => {
      hosts.push(request.headers.host ?? "");
      response.end("hello");
    });
  const [base, other] = [await start(), await start()];
  const folder = temporaryFolder();
  // A full address at the test's own host goes to the target of the turn, too.
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ name: "home", baseUrl: "http://site.example", scenarios: {
  visits: { executor: "constant-vus", vus: 1, duration: "1s", exec: async ({ http, sleep }) => { await http.get("/"); await http.get("http://site.example/b"); await sleep("5ms"); } },
} });`);
  const sides = ["--base", base.url, "--new", other.url];
  const ended = await runBearhug(
    ["ab-test", file, ...sides, "--allow", "generator", "--workers", "0", "--out", "json=ab.json"],
    folder,
  );
  expect(ended.exitCode).toBe(0);
  expect(ended.stdout).toContain(`${other.url} against ${base.url}`);
  const { comparison, metrics } = readResult(join(folder, "ab.json"), ended);
  expect(comparison).toMatchObject({
    sides: "turns",
    runNoise: null,
    base: { target: base.url },
    new: { target: other.url },
  });
  expect(metrics["http_req_failed"]?.values).toMatchObject({ rate: 0 });
  const countOf = ({ url }: { readonly url: string }): number =>
    hosts.filter((host) => url.endsWith(host)).length;
  expect(countOf(base)).toBeGreaterThan(10);
  expect(countOf(other)).toBeGreaterThan(10);
  expect(countOf(base) + countOf(other)).toBe(hosts.length);
});

test("ab-test says what is wrong with its targets", async () => {
  const same = ["--base", "http://127.0.0.1:1", "--new", "http://127.0.0.1:1/"];
  expect(await runBearhug(["ab-test", ...same])).toMatchObject({
    exitCode: 104,
    stderr: "bearhug: --base and --new are the same target, http://127.0.0.1:1. Name two.\n",
  });
  const { exitCode, stderr } = await runBearhug(["ab-test", "--base", "ftp://x", "--variant", "a=/b"]);
  expect(exitCode).toBe(104);
  expect(stderr.trimEnd().split("\n")).toEqual([
    "bearhug: --base ftp://x: must be an address such as http://127.0.0.1:8080.",
    "bearhug: --new <url> is missing. An A/B test needs --base and --new.",
    "bearhug: --variant: the two targets are the variants of an A/B test. Leave it out.",
  ]);
});
