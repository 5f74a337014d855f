import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import {
  readResult,
  runForResult,
  runBearhug,
  startBearhug,
  temporaryFolder,
  writeTest,
} from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { openReporters } from "../../src/reporter-thread/open-reporters.ts";
import { passed } from "../../../report/test/results.ts";
import { snapshotOf } from "../../../report/test/snapshot-of.ts";

async function writeLoad(duration: string, name = "watched"): Promise<string> {
  const { url } = await startServer();
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "${name}", baseUrl: "${url}",
  scenarios: { s: { executor: "constant-vus", vus: 1, duration: "${duration}", exec: async ({ http, sleep }) => { await http.get("/"); await sleep("20ms"); } } },
  thresholds: { http_req_failed: ["rate<1%"] },
});`);
}

function writeReporter(source: string): string {
  const path = join(temporaryFolder(), "my-reporter.ts");
  writeFileSync(path, source);
  return path;
}

/** A reporter whose `onEnd` never settles for the test of this name. */
function neverEndsFor(name: string): string {
  return `export default {
  async onEnd({ test }) {
    if (test.name !== "${name}") {
      console.error("it is done with " + test.name);
      return;
    }
    console.error("it waits");
    await new Promise(() => undefined);
  },
};`;
}

/** The summary wraps lines at the width of a terminal. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

describe("a user's own reporter", () => {
  test("receives the start, each second and the end, in order, in its own thread", async () => {
    const output = join(temporaryFolder(), "output.json");
    const reporter = writeReporter(`import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import type { Reporter } from "@bearhug/sdk";
const output: unknown[] = [];
export default (): Reporter => ({
  onStart: async (run) => { await new Promise((resolve) => setTimeout(resolve, 50)); output.push(["start", run.test.name, isMainThread]); },
  onInterval: (snapshot) => { output.push(["interval", snapshot.requests]); },
  onEnd: async (result) => { output.push(["end", result.verdict]); writeFileSync(${JSON.stringify(output)}, JSON.stringify(output)); },
});`);
    const { exitCode, result } = await runForResult(["run", await writeLoad("2500ms"), "--out", reporter]);
    expect(exitCode).toBe(0);
    expect(result.messages).toEqual([]);
    const events = JSON.parse(readFileSync(output, "utf8")) as unknown[][];
    expect(events[0]).toEqual(["start", "watched", false]);
    const intervals = events.slice(1, -1);
    expect(intervals.length).toBeGreaterThanOrEqual(2);
    for (const event of intervals) expect(event).toEqual(["interval", expect.any(Number)]);
    expect(intervals.some(([, requests]) => Number(requests) > 0)).toBe(true);
    expect(events.at(-1)).toEqual(["end", "passed"]);
  });

  test("that wants series receives each sample once", async () => {
    const output = join(temporaryFolder(), "output.json");
    const reporter = writeReporter(`import { writeFileSync } from "node:fs";
let [requests, times] = [0, 0];
export default {
  wantsSeries: true,
  onInterval({ series }) {
    for (const one of series) {
      if (one.metric === "http_reqs") requests += one.sum;
      if (one.metric === "http_req_duration") times += one.histogram.counts.reduce((sum, count) => sum + count, 0);
    }
  },
  onEnd() { writeFileSync(${JSON.stringify(output)}, JSON.stringify([requests, times])); },
};`);
    const { result } = await runForResult([
      "run",
      await writeLoad("1500ms"),
      "--out",
      reporter,
      "--workers",
      "2",
    ]);
    const requests = result.accounting.requests.reduce((sum, { succeeded }) => sum + succeeded, 0);
    expect(requests).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(output, "utf8"))).toEqual([requests, requests]);
  });

  test("that is slow loses the snapshots beyond 60 waiting ones, and the loss is reported", async () => {
    const file = writeReporter(`export default { async onInterval() { await new Promise(setImmediate); } };`);
    const { own } = await openReporters({ files: [file] }, () => undefined);
    const [reporter] = own;
    for (let second = 1; second <= 70; second++) reporter?.onInterval(snapshotOf({ atMs: second * 1000 }));
    await expect(reporter?.onEnd(passed)).rejects.toThrow("was too slow: 10 snapshots were lost");
    await reporter?.close();
  });

  test("that throws is reported once, and counts as a report that was not written", async () => {
    const reporter = writeReporter(
      `export default { onInterval() { throw new Error("no disk"); }, onEnd() { console.error("still called"); } };`,
    );
    const json = join(temporaryFolder(), "result.json");
    const ended = await runBearhug([
      "run",
      await writeLoad("2500ms"),
      "--out",
      reporter,
      "--out",
      `json=${json}`,
    ]);
    expect(ended.exitCode, ended.stderr).toBe(111);
    expect(ended.stderr).toContain("still called");
    expect(ended.stderr.match(/my-reporter\.ts: onInterval threw: no disk/g)).toHaveLength(1);
    expect(unwrapped(ended.stdout)).toContain(`report not written: onInterval threw: no disk (${reporter})`);
    expect(readResult(json, ended)).toMatchObject({ verdict: "passed", exitCode: 0, messages: [] });
  });

  test("that takes 7 s to load is waited for", async () => {
    const reporter = writeReporter(
      `export default async () => {
        await new Promise((resolve) => setTimeout(resolve, 7000));
        return { onEnd({ verdict }) { console.error("late but " + verdict); } };
      };`,
    );
    const ended = await runBearhug(["run", await writeLoad("200ms"), "--out", reporter]);
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(ended.stderr).toContain("late but passed");
  });

  test("that blocks for 5 s is abandoned and reported; the load goes on", async () => {
    const reporter = writeReporter(`export default { onStart() { for (;;) {} } };`);
    const ended = await runBearhug(["run", await writeLoad("1s"), "--out", reporter]);
    expect(ended.exitCode, ended.stderr).toBe(111);
    expect(unwrapped(ended.stdout)).toContain(
      `report not written: was blocked for 5 s, so it was abandoned (${reporter})`,
    );
    expect(ended.stdout).toContain("passed");
  });

  test("that never ends is stopped by a second signal, and the other reports stay", async () => {
    const reporter = writeReporter(neverEndsFor("watched"));
    const json = join(temporaryFolder(), "result.json");
    const load = await writeLoad("200ms");
    const run = startBearhug(["run", load, "--out", reporter, "--out", `json=${json}`]);
    let stderr = "";
    run.child.stderr.on("data", (text: string) => (stderr += text));
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain("it waits");
    run.child.kill("SIGINT");
    await expect
      .poll(() => stderr, { timeout: 20_000 })
      .toContain("SIGINT: the run has ended, finishing reports; press Ctrl+C again to stop now");
    run.child.kill("SIGINT");
    const ended = await run;
    expect(ended.exitCode, ended.stderr).toBe(111);
    const sentence = `a signal stopped it before it had finished (${reporter})`;
    expect(ended.stderr.split("\n").filter((line) => line.includes(sentence))).toEqual([
      `bearhug: report not written: ${sentence}`,
    ]);
    expect(unwrapped(ended.stdout)).toContain(`report not written: ${sentence}`);
    expect(readResult(json, ended)).toMatchObject({ verdict: "passed", exitCode: 0, messages: [] });
  });

  test("that never ends for one of two tests that run together: the first signal ends the other test's load", async () => {
    const files = [await writeLoad("200ms", "short"), await writeLoad("60s", "long")];
    const run = startBearhug(["run", ...files, "--together", "--out", writeReporter(neverEndsFor("short"))]);
    let stderr = "";
    run.child.stderr.on("data", (text: string) => (stderr += text));
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain("it waits");
    run.child.kill("SIGINT");
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain("SIGINT: ending gracefully");
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain("it is done with long");
    run.child.kill("SIGINT");
    const ended = await run;
    expect(ended.exitCode, ended.stderr).toBe(105);
    expect(ended.stderr.match(/a signal stopped it before it had finished/g)).toHaveLength(1);
  });

  test.each([
    [`export default 5;`, "its default export is no reporter"],
    [`export default { onEdn() {} };`, "its default export is no reporter"],
    [`throw new Error("no license");`, "no license"],
    [`export default {`, "end of file"],
  ])("that cannot be loaded is refused before anything is sent: %s", async (source, says) => {
    const reporter = writeReporter(source);
    const ended = await runBearhug(["run", await writeLoad("1s"), "--out", reporter]);
    expect(ended.exitCode).toBe(104);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toContain("my-reporter.ts");
  });

  test("that does not exist is refused", async () => {
    const ended = await runBearhug(["run", await writeLoad("1s"), "--out", "./nowhere.ts"]);
    expect(ended.exitCode).toBe(104);
    expect(ended.stderr).toContain("--out ./nowhere.ts: there is no such file.");
  });
});

describe("--out recording=PATH", () => {
  test("writes a recording that report turns into the same result", async () => {
    const folder = temporaryFolder();
    const [recording, again] = [join(folder, "part.bearhug"), join(folder, "again.json")];
    const { result, exitCode } = await runForResult([
      "run",
      await writeLoad("1500ms"),
      "--out",
      `recording=${recording}`,
      "--workers",
      "2",
    ]);
    expect(exitCode).toBe(0);
    const reported = await runBearhug(["report", recording, "--out", `json=${again}`]);
    expect(reported.exitCode, reported.stderr).toBe(0);
    expect(readResult(again, reported)).toEqual(result);
  });
});
