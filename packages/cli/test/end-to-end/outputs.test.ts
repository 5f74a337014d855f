import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parseResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { madeReadOnly, smallDisk } from "../mounted.ts";
import { runBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Answers slowly, so that a second of load is few requests. */
const slowly: NonNullable<Parameters<typeof startServer>[0]> = (_request, response) => {
  setTimeout(() => response.end("hello\n"), 50);
};

describe("a report that cannot be written", () => {
  test.skipIf(process.platform !== "linux").each([
    ["a full disk", "/dev/full", "ENOSPC"],
    ["a place where nothing can be created", "/proc/nowhere/r.json", "ENOENT"],
  ])("on %s: the summary is still printed, exit 111", async (_, path, code) => {
    const server = await startServer();
    const { exitCode, stdout, stderr } = await runBearhug([
      `${server.url}/`,
      "-n",
      "5",
      "--out",
      `json=${path}`,
    ]);
    expect(exitCode).toBe(111);
    expect(stdout).toContain("http_reqs");
    expect(stdout).toContain("report not written");
    expect(stderr).toContain(code);
  });

  test("under a name too long for the disk: exit 111, or still 99 if a threshold failed", async () => {
    const server = await startServer();
    const folder = temporaryFolder();
    const line = [`${server.url}/`, "-n", "5", "--out", `json=${join(folder, "x".repeat(300))}`];
    expect((await runBearhug(line)).exitCode).toBe(111);
    const failed = await runBearhug([...line, "--threshold", "http_reqs: count>99"]);
    expect(failed.exitCode).toBe(99);
    expect(failed.stdout).toContain("report not written: ENAMETOOLONG");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("in place of a folder, or of a file that the command reads: 104, nothing sent, nothing replaced", async () => {
    const server = await startServer();
    const folder = temporaryFolder();
    const path = join(folder, "shop.ts");
    const source = `
import { defineTest } from "@bearhug/sdk";
const once = { executor: "shared-iterations", exec: ({ http }) => http.get("/") };
export default defineTest({ baseUrl: ${JSON.stringify(server.url)}, scenarios: { once } });`;
    writeFileSync(path, source);
    const bench = await runBearhug([`${server.url}/`, "-n", "5", "--out", `json=${folder}`]);
    expect(bench.exitCode).toBe(104);
    expect(bench.stderr).toContain(`${folder} is a folder`);
    const run = await runBearhug(["run", path, "--out", `json=${path}`]);
    expect(run.exitCode).toBe(104);
    expect(run.stderr).toContain(`the report would replace ${path}`);
    expect(readFileSync(path, "utf8")).toBe(source);
    expect(server.total()).toBe(0);
    const result = join(folder, "result.json");
    expect((await runBearhug(["run", path, "--out", `json=${result}`])).exitCode).toBe(0);
    const before = readFileSync(result, "utf8");
    const again = await runBearhug(["report", result, "--out", `markdown=${result}`]);
    expect(again.exitCode).toBe(104);
    expect(again.stderr).toContain(`the report would replace ${result}`);
    expect(readFileSync(result, "utf8")).toBe(before);
  });

  test("on a read-only file system: 104, one sentence, nothing sent", async (context) => {
    const disk = smallDisk(8);
    if (disk === null || !madeReadOnly(disk)) return context.skip("nothing can be mounted here");
    const server = await startServer();
    const out = `json=${join(disk, "result.json")}`;
    const { exitCode, stdout, stderr } = await runBearhug([`${server.url}/`, "-n", "5", "--out", out]);
    expect(stderr).toBe(
      `bearhug: --out ${out}: ${disk} is on a read-only file system (EROFS). Choose another path.\n`,
    );
    expect([exitCode, stdout, server.total()]).toEqual([104, "", 0]);
  });

  test("leaves an old report whole, and nothing half written, on a disk that fills up", async (context) => {
    const disk = smallDisk(8);
    if (disk === null) return context.skip("no disk of a size of ours can be mounted here");
    const server = await startServer();
    const path = join(disk, "result.json");
    writeFileSync(path, "the old report");
    const { exitCode, stdout, stderr } = await runBearhug([
      `${server.url}/`,
      "-n",
      "500",
      "--out",
      `json=${path}`,
    ]);
    expect(exitCode).toBe(111);
    expect(stdout).toContain("http_reqs");
    expect(stderr).toContain("ENOSPC");
    expect(readFileSync(path, "utf8")).toBe("the old report");
    expect(readdirSync(disk)).toEqual(["result.json"]);
  });

  test("does not affect the run if it is the recording, on a disk that fills up: one line says so", async (context) => {
    const disk = smallDisk(4);
    if (disk === null) return context.skip("no disk of a size of ours can be mounted here");
    // The load is as fast as it can be: only many different durations fill the disk.
    const server = await startServer();
    const { exitCode, stderr } = await runBearhug([`${server.url}/`, "-d", "2s", "-c", "20"], undefined, {
      XDG_CACHE_HOME: disk,
    });
    expect(exitCode).toBe(0);
    expect(stderr.match(/its results from now on are lost.*ENOSPC/g)).toHaveLength(1);
    expect(readdirSync(join(disk, "bearhug", "runs"))).toEqual([]);
  });
});

describe("output for a limited terminal", () => {
  test.each([
    ["TERM=dumb", { TERM: "dumb", LANG: "en_US.UTF-8" }],
    ["another encoding than UTF-8", { LANG: "en_US.ISO-8859-1", LC_ALL: "en_US.ISO-8859-1" }],
    ["no locale", { LANG: "C", LC_ALL: "C" }],
  ])("with %s is plain ASCII, without colours and redrawn lines", async (_, environment) => {
    const server = await startServer(slowly);
    const line = [`${server.url}/`, "-d", "2s", "-c", "2", "--threshold", "http_reqs: count>1"];
    const { exitCode, stdout, stderr } = await runBearhug(line, undefined, environment);
    expect(exitCode).toBe(0);
    expect(stdout + stderr).toMatch(/^[\n\x20-\x7e]*$/);
    expect(stdout).toContain("http_req_duration");
    for (const shown of stdout.split("\n")) expect(shown.length).toBeLessThanOrEqual(80);
  });
});

test("a report to standard output is alone there", async () => {
  const server = await startServer();
  const run = await runBearhug([`${server.url}/`, "-n", "5", "--out", "json=-"]);
  expect(run.exitCode).toBe(0);
  expect(parseResult(JSON.parse(run.stdout))).toMatchObject({ problems: [], result: { exitCode: 0 } });
  expect(run.stderr).toContain("completed, exit code 0");
  const path = join(temporaryFolder(), "result.json");
  writeFileSync(path, run.stdout);
  const again = await runBearhug(["report", path, "--out", "csv=-"]);
  expect(again.stdout).toMatch(/^scope,name,metric,/);
  expect(again.stderr).toContain("completed, exit code 0");
  const recorded = await runBearhug([`${server.url}/`, "-n", "5", "--out", "hgrm=-"]);
  expect(recorded.stdout).not.toContain("exit code");
});
