import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { command } from "../command.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { readResult, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Node raises its soft limit to the hard one: `ulimit -n` of a shell sets both. */
const limited = 'ulimit -n 100 && exec "$0" "$@"';

test.skipIf(process.platform === "win32")(
  "without file descriptors it cannot send: said before, and afterwards its own fault",
  async () => {
    const server = await startServer();
    const path = `${temporaryFolder()}/result.json`;
    const arguments_ = [command, `${server.url}/`, "-c", "200", "-d", "2s", "--out", `json=${path}`];
    const { stdout, stderr } = await promisify(execFile)(
      "sh",
      ["-c", limited, process.execPath, ...arguments_],
      {
        env: { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", XDG_CACHE_HOME: temporaryFolder() },
      },
    );
    const result = readResult(path, { exitCode: 0, stdout, stderr });
    expect(stderr).toContain("200 virtual users need at least 200 connections");
    expect(stderr).toContain("may open 100 files");
    expect(result.errors.map(({ code }) => code)).toContain("TOO_MANY_OPEN_FILES");
    expect(result.generator.verdict).toBe("saturated");
    expect(result.generator.reasons.join("\n")).toMatch(/\d+ requests ran out of file descriptors/);
    expect(result.generator.process!.limits.openFiles).toBe(100);
    expect(result.generator.process!.peakOpenFiles).toBeLessThanOrEqual(100);
    expectBalanced(result);
  },
  60_000,
);
