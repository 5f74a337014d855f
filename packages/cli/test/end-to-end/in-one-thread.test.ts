import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runForResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

interface Parts {
  readonly module?: string;
  readonly stages?: string;
  readonly exec?: string;
}

/** Writes a test that would take 5 s; virtual user 2 runs `exec` in its third iteration. */
async function writeParts({ module = "", stages = "", exec = "" }: Parts): Promise<string> {
  const { url } = await startServer();
  return writeTest(`import { exit } from "node:process";
import { defineTest } from "@bearhug/sdk";
const leave = exit;
${module}
export default defineTest({
  baseUrl: "${url}", ${stages}
  scenarios: { s: { executor: "constant-vus", vus: 2, duration: "5s", gracefulStop: "1s", exec: async ({ http, iteration, vu, sleep }) => {
    await http.get("/"); await sleep("20ms");
    if (vu.id === 2 && iteration.indexInVu === 2) { ${exec} }
  } } },
});`);
}

describe("with --workers 0, a test that ends the process", () => {
  test.each([
    { how: "process.exit(0)", exec: "process.exit(0);" },
    { how: "process.exit() after process.exitCode = 0", exec: "process.exitCode = 0; process.exit();" },
    { how: "process.exit(0), caught", exec: "try { process.exit(0); } catch { await sleep('1h'); }" },
    { how: "process.exit(0) in a timer", exec: "setTimeout(() => process.exit(0), 1); await sleep('1h');" },
    { how: "exit of node:process", exec: "leave(0);" },
    {
      how: "process.reallyExit(0)",
      exec: "(process as never as { reallyExit(code: number): void }).reallyExit(0);",
    },
    {
      how: "process.exit(0) without exit listeners",
      exec: "process.removeAllListeners('exit'); process.on('exit', () => { process.exitCode = 0; }); process.exit(0);",
    },
  ])("by $how in a scenario loses its worker: exit 109, a summary, a report", async ({ exec }) => {
    const { exitCode, stdout, result } = await runForResult([
      "run",
      await writeParts({ exec }),
      "--workers",
      "0",
    ]);
    expect(exitCode).toBe(109);
    expect(result).toMatchObject({ verdict: "errored", exitCode: 109 });
    expect(result.messages.join()).toContain("worker 0 was lost: ended by process.exit(0) in scenario s");
    expect(result.durationMs).toBeLessThan(4500);
    expect(stdout).toContain("errored: worker 0 was lost");
    expectBalanced(result);
  });

  test.each([
    { where: "its module", parts: { module: "process.exit(0);" }, says: "the test could not be loaded" },
    { where: "setup", parts: { stages: "setup: () => process.exit(0)," }, says: "setup failed" },
    {
      where: "a timer of setup",
      parts: {
        stages: "setup: async () => { setTimeout(() => process.exit(0), 1); await new Promise(() => 0); },",
      },
      says: "setup failed",
    },
  ])("in $where fails there: exit 107", async ({ parts, says }) => {
    const { exitCode, result } = await runForResult(["run", await writeParts(parts), "--workers", "0"]);
    expect(exitCode).toBe(107);
    expect(result.messages.join()).toContain(says);
    expect(result.messages.join()).toContain("process.exit(0)");
  });

  test("in teardown keeps what the load measured: exit 107", async () => {
    const file = await writeParts({ stages: "teardown: () => process.exit(0)," });
    const { exitCode, result } = await runForResult(["run", file, "--workers", "0", "--duration", "300ms"]);
    expect(exitCode).toBe(107);
    expect(result.accounting.iterations.completed).toBeGreaterThan(0);
  });

  test("loses its worker, too, if BEARHUG_WORKERS sets the number of workers", async () => {
    const path = `${temporaryFolder()}/result.json`;
    const arguments_ = ["run", await writeParts({ exec: "process.exit(0);" }), "--out", `json=${path}`];
    const ended = await startBearhug(arguments_, temporaryFolder(), { BEARHUG_WORKERS: "0" });
    expect(ended.exitCode).toBe(109);
    expect(readResult(path, ended).exitCode).toBe(109);
  });
});

test("with --workers 0 the verdict stays, whatever code a test left behind does", async () => {
  const module = `process.on("exit", () => { process.exitCode = 0; process.exit(0); });
process.on("beforeExit", () => process.exit(0));
setInterval(() => { process.exitCode = 0; }, 1);`;
  const file = await writeParts({ module });
  const { exitCode, stdout } = await runForResult([
    "run",
    file,
    "--workers",
    "0",
    "--duration",
    "300ms",
    "--threshold",
    "http_req_failed: rate>50%",
  ]);
  expect(exitCode).toBe(99);
  expect(stdout).toContain("failed, exit code 99");
});

test("with --workers 0 calls that would end the process at once throw, as they do in a worker", async () => {
  const exec = `process.abort(); } if (vu.id === 2 && iteration.indexInVu === 3) {
      process.execve?.(process.execPath, [process.execPath, "--eval", ""], {});`;
  const file = await writeParts({ exec });
  const { result } = await runForResult(["run", file, "--workers", "0", "--duration", "2s"]);
  expect(result.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("process.abort() is not allowed in tests"),
    expect.stringContaining("process.execve() is not allowed in tests"),
  ]);
  expect(result.accounting.iterations).toMatchObject({ failed: 2, lost: 0 });
});

test("with --workers 0 an unhandled rejection in setup fails setup: exit 107, and a summary", async () => {
  const stages = `setup: async () => { void Promise.reject(new Error("nobody waits")); await new Promise(() => 0); },`;
  const { exitCode, result } = await runForResult(["run", await writeParts({ stages }), "--workers", "0"]);
  expect(exitCode).toBe(107);
  expect(result.messages.join()).toContain("nobody waits");
});
