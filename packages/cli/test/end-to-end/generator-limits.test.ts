import { execFile } from "node:child_process";

import { expect, test } from "vitest";

import { command } from "../command.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { readResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command with a limit of open files: the hard one too, to which Node raises the soft one. */
function runLimited(openFiles: number, ...words: readonly string[]): Promise<Ended> {
  const limited = `ulimit -n ${openFiles} && exec "$0" "$@"`;
  const env = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", XDG_CACHE_HOME: temporaryFolder() };
  return new Promise((resolve) => {
    const child = execFile(
      "sh",
      ["-c", limited, process.execPath, command, ...words],
      { env },
      (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode, stdout, stderr });
      },
    );
  });
}

test.skipIf(process.platform === "win32")(
  "a limit of file descriptors below what the load certainly needs is reported before the start",
  async () => {
    const server = await startServer();
    const few = await runLimited(40, `${server.url}/`, "-d", "1s");
    expect(few).toMatchObject({
      exitCode: 104,
      stderr:
        "bearhug: The process may open 40 files and connections at once (ulimit -n), and bearhug needs at least 64. Raise the limit: ulimit -n 65535.\n",
    });
    const many = await runLimited(100, `${server.url}/`, "-c", "200", "-d", "2s");
    expect(many.exitCode).toBe(104);
    expect(many.stderr).toContain("200 virtual users need at least 200 connections");
    expect(many.stderr).toContain("may open 100 files and connections at once (ulimit -n)");
    const sweep = await runLimited(100, "sweep", `${server.url}/`, "-c", "1,200");
    expect(sweep.exitCode).toBe(104);
    expect(sweep.stderr).toContain("200 virtual users need at least 200 connections");
    expect(server.total()).toBe(0);
  },
  60_000,
);

test.skipIf(process.platform === "win32")(
  "running out of file descriptors counts against the generator",
  async () => {
    const server = await startServer((_request, response) => setTimeout(() => response.end(), 1000).unref());
    const path = `${temporaryFolder()}/result.json`;
    // The number of virtual users depends on the target, so the load is not refused before the start.
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { open: { executor: "constant-arrival-rate", rate: 200, duration: "2s", exec: ({ http }) => http.get("/") } },
});`);
    const ended = await runLimited(100, "run", file, "--out", `json=${path}`);
    const result = readResult(path, ended);
    expect(result.errors.map(({ code }) => code)).toContain("TOO_MANY_OPEN_FILES");
    expect(result.generator.verdict).toBe("saturated");
    expect(result.generator.reasons.join("\n")).toMatch(/\d+ requests ran out of file descriptors/);
    expect(result.generator.process!.limits.openFiles).toBe(100);
    expect(result.generator.process!.peakOpenFiles).toBeLessThanOrEqual(100);
    expectBalanced(result);
  },
  60_000,
);
