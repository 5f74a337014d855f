import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const lines = 4000;

/** Opens a pipe that nobody writes to: a thread of the system's waits for ever, and cannot be cancelled. */
async function stuckTest(): Promise<string> {
  const server = await startServer();
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  return writeTest(`
    import { readFile } from "node:fs";
    import { defineTest } from "@bearhug/sdk";
    export default defineTest({
      scenarios: { one: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => {
        readFile(${JSON.stringify(pipe)}, () => {});
        for (let line = 1; line <= ${lines}; line++) console.log("line " + line + " of what is told");
        await http.get(${JSON.stringify(`${server.url}/`)});
      } } },
      thresholds: { http_reqs: ["count>99"] },
    });`);
}

describe.skipIf(process.platform === "win32").each(["0", "1"])("with --workers %s", (workers) => {
  test("a thread that is stuck holds neither the process nor its exit code", async () => {
    const { exitCode, stdout, stderr } = await startBearhug(["run", await stuckTest(), "--workers", workers]);
    expect(exitCode, stderr).toBe(99);
    expect(stdout).toContain("exit code 99");
    expect(stderr).not.toContain("Warning");
  });

  test("it cuts nothing off for a reader who sleeps", async () => {
    const started = startBearhug(["run", await stuckTest(), "--workers", workers]);
    const { stdout, stderr } = started.child;
    for (const stream of [stdout, stderr]) stream.pause();
    await delay(4000);
    for (const stream of [stdout, stderr]) stream.resume();
    const ended = await started;
    expect(ended.exitCode, ended.stderr.slice(-500)).toBe(99);
    expect(ended.stdout).toContain("exit code 99");
    // Without a thread of its own what a test says is not taken to stderr.
    const told = ended.stdout + ended.stderr;
    expect(told.match(/line \d+ of what is told/g)).toHaveLength(lines);
  });

  test("it changes no exit code for a reader who goes", async () => {
    const started = startBearhug(["run", await stuckTest(), "--workers", workers]);
    started.child.stdout.destroy();
    expect((await started).exitCode).toBe(99);
  });
});
