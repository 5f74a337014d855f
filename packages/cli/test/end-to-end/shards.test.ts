import { copyFileSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import type { Ended } from "../kept-process/command-line.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** 40 arrivals, the last one a second before the end, so that a busy machine that pauses does not drop it. */
const calmEnd = '[{ duration: "1s", target: 0 }, { duration: "1s", target: 0 }]';

/** Writes a test whose requests carry their iteration, their VU and their row. */
function numberedTest(baseUrl: string, more = ""): string {
  return writeTest(`import { defineTest, rows } from "@bearhug/sdk";
const visit = (name) => ({ http, iteration, feeds, vu }) =>
  http.get("/" + name + "/" + iteration.index + "/" + vu.id + "/" + feeds.users.next().user, { name });
export default defineTest({
  baseUrl: "${baseUrl}",
  feeds: { users: rows(Array.from({ length: 31 }, (_, user) => ({ user })), { order: "shuffled" }) },
  scenarios: {
    open: { executor: "ramping-arrival-rate", startRate: 80, stages: ${calmEnd}, maxVUs: 50, exec: visit("open") },
    shared: { executor: "shared-iterations", vus: 3, iterations: 41, exec: visit("shared") },
    each: { executor: "per-vu-iterations", vus: 5, iterations: 3, exec: visit("each") },
  },
  thresholds: { http_reqs: ["count==96"], "http_req_duration{scenario:open}": ["p(95)<30s"] },
  ${more}
});`);
}

interface Merged extends Ended {
  readonly result: TestResult;
}

async function merge(parts: readonly string[], ...flags: readonly string[]): Promise<Merged> {
  const path = join(temporaryFolder(), "result.json");
  const ended = await runBearhug(["merge", ...parts, "-o", path, ...flags]);
  return { ...ended, result: readResult(path, ended) };
}

/** Runs one shard. Returns also the path of its recording. */
async function runShard(
  file: string,
  shard: string,
  ...flags: readonly string[]
): Promise<Ended & { readonly path: string }> {
  const path = join(temporaryFolder(), `part-${shard.replace("/", "-")}.bearhug`);
  const out = ["--out", `recording=${path}`, "--quiet"];
  return { ...(await runBearhug(["run", file, "--shard", shard, ...out, ...flags])), path };
}

/** Returns requests without the VU: which one an arrival finds free depends on the target. */
function visitsOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.keys()].map((line) => line.replace(/^(GET \/\w+\/\d+\/)\d+/, "$1")).sort();
}

describe("two shards", () => {
  test("send together what one machine sends, and merge to what the server counted", async () => {
    const whole = await startServer();
    const alone = await runBearhug(["run", numberedTest(whole.url), "--seed", "1", "--workers", "1"]);
    expect(alone.exitCode, alone.stderr).toBe(0);
    const server = await startServer();
    const file = numberedTest(server.url);
    const first = await runShard(file, "1/2", "--workers", "2");
    const second = await runShard(file, "2/2", "--workers", "1");
    for (const { exitCode, stdout } of [first, second]) {
      expect(exitCode, stdout).toBe(0);
      expect(stdout).toContain("thresholds are judged when all parts are merged");
    }
    // On a busy machine, the summary begins with a warning.
    expect(first.stdout).toMatch(/^[✓!] completed: /);
    expect(first.stdout).toContain("part 1 of 2");
    expect([...server.counts.values()]).toEqual(Array.from({ length: 96 }, () => 1));
    expect(visitsOf(server.counts)).toEqual(visitsOf(whole.counts));

    const { exitCode, result, stdout } = await merge([second.path, first.path]);
    expect(exitCode, stdout).toBe(0);
    expect(result).toMatchObject({ verdict: "passed", seed: 1, shard: null, plan: { workers: 3 } });
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: server.total() });
    expect(result.accounting.iterations).toMatchObject({ scheduled: 96, completed: 96 });
    expect(result.notes).toEqual([expect.stringMatching(/^merged from 2 shards, which began .+ apart/)]);
    expectBalanced(result);

    const folder = temporaryFolder();
    for (const { path } of [first, second]) copyFileSync(path, join(folder, basename(path)));
    // The shell of Windows leaves globs to programs.
    const globbed = await runBearhug(["merge", "part-*.bearhug", "--json"], folder);
    expect(globbed.exitCode, globbed.stderr).toBe(0);
    const unmatched = await runBearhug(["merge", "no-*.bearhug"], folder);
    expect(unmatched).toMatchObject({ exitCode: 104, stderr: "bearhug: There is no file no-*.bearhug.\n" });
    const half = await runBearhug(["merge", first.path]);
    expect(half).toMatchObject({
      exitCode: 104,
      stderr: "bearhug: Shard 2 of 2 is missing.\nbearhug: To merge anyway, add --allow-partial.\n",
    });
    // With one shard alone, thresholds are judged by its load.
    const forgiven = await merge([first.path], "--allow-partial");
    expect(forgiven.exitCode).toBe(99);
    expect(forgiven.result.messages).toEqual([expect.stringContaining("http_reqs: count==96")]);
    expect(forgiven.result.partial).toEqual(["shard 2 of 2 is missing"]);
    expect(forgiven.stdout).toContain("partial: shard 2 of 2 is missing");
  });

  test("of different tests cannot be merged", async () => {
    const server = await startServer();
    const short = ["--scenario", "each", "--workers", "1"];
    const first = await runShard(numberedTest(server.url), "1/2", ...short);
    const second = await runShard(numberedTest(server.url, 'tags: { changed: "yes" },'), "2/2", ...short);
    const { exitCode, stderr } = await runBearhug(["merge", first.path, second.path]);
    expect(exitCode).toBe(104);
    expect(stderr).toContain(`${second.path}: has another test or plan than ${first.path}.`);
  });
});

describe("setup", () => {
  const stages = `setup: async ({ http }) => { await http.post("/setup"); return { token: "t1" }; },
  teardown: async ({ http, data }) => { await http.delete("/teardown/" + data.token); },`;
  const short = ["--scenario", "each", "--workers", "1"];

  test("of a shard must be placed on shard 1 or on every shard", async () => {
    const server = await startServer();
    const { exitCode, stderr } = await runShard(numberedTest(server.url, stages), "1/2", ...short);
    expect(exitCode).toBe(104);
    expect(stderr).toBe(
      "bearhug: --shard: the test has setup and teardown. Add --shard-setup FILE to run it on shard 1, which hands its data on in that file, or --shard-setup each to run it on every shard.\n",
    );
    expect(server.total()).toBe(0);
  });

  test("runs on every shard with --shard-setup each", async () => {
    const server = await startServer();
    const file = numberedTest(server.url, stages);
    const run = (shard: string) => runShard(file, shard, ...short, "--shard-setup", "each");
    const shards = await Promise.all([run("1/2"), run("2/2")]);
    expect(shards.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(server.counts.get("POST /setup")).toBe(2);
    expect(server.counts.get("DELETE /teardown/t1")).toBe(2);
  });

  test("runs on shard 1 with --shard-setup FILE, which hands its data on", async () => {
    const server = await startServer();
    const file = numberedTest(server.url, stages);
    const data = join(temporaryFolder(), "setup.json");
    const first = await runShard(file, "1/2", ...short, "--shard-setup", data);
    expect(first.exitCode, first.stdout).toBe(0);
    expect(JSON.parse(readFileSync(data, "utf8"))).toMatchObject({ seed: 1, data: { token: "t1" } });
    expect(statSync(data).mode & 0o777).toBe(0o600);
    const second = await runShard(file, "2/2", ...short, "--shard-setup", data);
    expect(second.exitCode, second.stdout).toBe(0);
    expect(server.counts.get("POST /setup")).toBe(1);
    expect(server.counts.get("DELETE /teardown/t1")).toBe(1);

    const again = await runShard(file, "1/2", ...short, "--shard-setup", data);
    expect(again.exitCode).toBe(104);
    expect(again.stderr).toContain(`--shard-setup ${data}: already exists. Remove it, or name a new file`);
    const nowhere = join(temporaryFolder(), "gone", "setup.json");
    const unwritable = await runShard(file, "1/2", ...short, "--shard-setup", nowhere);
    expect(unwritable.exitCode).toBe(104);
    expect(unwritable.stderr).toContain(`--shard-setup ${nowhere}: there is no folder ${dirname(nowhere)}.`);
    const other = await runShard(file, "2/2", ...short, "--shard-setup", data, "--seed", "2");
    expect(other.exitCode).toBe(107);
    expect(other.stdout.replaceAll(/\s+/g, " ")).toContain(
      "does not hold the setup data of this test and seed",
    );
  });
});

describe("a common start", () => {
  const open = ["--scenario", "open", "--workers", "1"];

  test("in the past drops the iterations that were due before, and is an error from a second on", async () => {
    const server = await startServer();
    const file = numberedTest(server.url);
    const startAt = String(Date.now() - 60_000);
    const { exitCode, stdout, path } = await runShard(file, "1/1", ...open, "--start-at", startAt);
    expect(exitCode, stdout).toBe(109);
    expect(stdout).toMatch(/✗ errored: the load began \d+ m \d+ s after the common start/);
    const { result } = await merge([path], "--allow-partial");
    expect(result.accounting.iterations).toMatchObject({ scheduled: 40, dropped: 40, started: 0 });
    expect(result.series).toContainEqual(
      expect.objectContaining({
        metric: "dropped_iterations",
        tags: { scenario: "open", reason: "late_start" },
      }),
    );
    expect(server.total()).toBe(0);
  });

  test("in the future is waited for", async () => {
    const server = await startServer();
    // Later than a loaded machine takes to start a run.
    const startAtMs = Date.now() + 6000;
    const flags = [...open, "--start-at", new Date(startAtMs).toISOString()];
    const { exitCode, stdout, path } = await runShard(numberedTest(server.url), "1/1", ...flags);
    expect(exitCode, stdout).toBe(0);
    const { result } = await merge([path]);
    expect(Date.parse(result.startedAt)).toBe(startAtMs);
    expect(result.accounting.iterations).toMatchObject({ scheduled: 40, dropped: 0 });
  });
});
