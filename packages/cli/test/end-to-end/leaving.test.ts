import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const lines = 4000;

/** Writes a test that opens a pipe without a writer: a thread waits for ever, and cannot be cancelled. */
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
  test("a stuck thread holds up neither the process nor its exit code", async () => {
    const { exitCode, stdout, stderr } = await startBearhug(["run", await stuckTest(), "--workers", workers]);
    expect(exitCode, stderr).toBe(99);
    expect(stdout).toContain("exit code 99");
    expect(stderr).not.toContain("Warning");
  });

  test("a stuck thread cuts off no output for a slow reader", async () => {
    const started = startBearhug(["run", await stuckTest(), "--workers", workers]);
    const { stdout, stderr } = started.child;
    for (const stream of [stdout, stderr]) stream.pause();
    await delay(4000);
    for (const stream of [stdout, stderr]) stream.resume();
    const ended = await started;
    expect(ended.exitCode, ended.stderr.slice(-500)).toBe(99);
    expect(ended.stdout).toContain("exit code 99");
    // With --workers 0, the output of a test is not redirected to stderr.
    const output = ended.stdout + ended.stderr;
    expect(output.match(/line \d+ of what is told/g)).toHaveLength(lines);
  });

  test("a stuck thread does not change the exit code if the reader leaves", async () => {
    const started = startBearhug(["run", await stuckTest(), "--workers", workers]);
    started.child.stdout.destroy();
    expect((await started).exitCode).toBe(99);
  });
});
