import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { runBearhug, startBearhug, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";

/** Writes a test that makes one request and then runs this code. */
function testOf(url: string, then: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: { s: { executor: "shared-iterations", iterations: 1, exec: async ({ http }) => {
    await http.get("/");
    ${then}
  } } },
});`);
}

const tooLong = "x".repeat(300);

describe("a command line ends in a kept process as in its own process:", () => {
  test.for<[name: string, exitCode: number | null, line: (url: string) => readonly string[]]>([
    ["help", 0, () => ["--help"]],
    ["an invalid option", 104, () => ["run", "test.ts", "--vus", "many"]],
    ["a run that passes", 0, (url) => [url, "-n", "1"]],
    ["a failed threshold", 99, (url) => [url, "-n", "1", "--threshold", "http_reqs: count>99"]],
    ["a report that cannot be written", 111, (url) => [url, "-n", "1", "--out", `json=${tooLong}`]],
    ["a test that cannot be loaded", 107, () => ["run", writeTest(`throw new Error("no");`)]],
    ["a lost worker", 109, (url) => ["run", testOf(url, "process.exit(0);")]],
    [
      "a worker lost without a thread",
      109,
      (url) => ["run", testOf(url, "process.exit(0);"), "--workers", "0"],
    ],
    ["work that goes on", 0, (url) => ["run", testOf(url, "setInterval(() => 0, 9);"), "--workers", "0"]],
    ["a kill", null, (url) => ["run", testOf(url, `process.kill(process.pid, "SIGKILL");`)]],
  ])("%s", async ([, exitCode, lineAt]) => {
    const server = await startServer();
    const line = lineAt(`${server.url}/`);
    const ends = [await runBearhug(line), await startBearhug(line), await runBearhug(line)];
    for (const ended of ends) expect(ended.exitCode, ended.stderr).toBe(exitCode);
    const beginnings = ends.map(({ stdout, stderr }) => (stdout === "" ? stderr : stdout).slice(0, 30));
    expect(new Set(beginnings).size, beginnings.join("\n")).toBe(1);
  });
});

test("nothing of a command line stays for the next: its folder, its variables, its exit code", async () => {
  const server = await startServer();
  const folder = temporaryFolder();
  const file = testOf(server.url, `console.log(process.cwd(), process.env.OF_THE_FIRST ?? "unset");`);
  const first = await runBearhug(["run", file], folder, { OF_THE_FIRST: "set" });
  expect(first.stderr).toContain(`${folder} set`);
  expect(await runBearhug(["run", join(folder, "none.ts")], folder)).toMatchObject({ exitCode: 104 });
  const next = await runBearhug(["run", file]);
  expect(next.exitCode, next.stdout).toBe(0);
  expect(next.stderr).toContain(" unset");
  expect(next.stderr).not.toContain(folder);
});

test("several command lines at once do not mix", async () => {
  const server = await startServer();
  const outputs = await Promise.all(
    ["one", "two"].map(async (word) => {
      const { stderr } = await runBearhug(["run", testOf(server.url, `console.log("${word}");`)]);
      return stderr.replace(/ {2}\(.+/, "").trim();
    }),
  );
  expect(outputs).toEqual(["bearhug: one", "bearhug: two"]);
});
