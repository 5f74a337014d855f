import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";

import { describe, expect, onTestFinished, test } from "vitest";

import { command } from "../../cli/test/command.ts";
import { startServer } from "../../cli/test/end-to-end/test-server.ts";
import { folderOf } from "./connect.ts";

interface Program {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The directory for temporary files, in which the program makes its folder. */
  readonly temporary: string;
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
}

function startProgram(directory: string): Program {
  const temporary = folderOf({});
  const child = spawn(process.execPath, [join(import.meta.dirname, "serve-stdio.ts"), command, directory], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const send: Program["send"] = (message) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const clientInfo = { name: "agent", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: 1, method: "initialize", params });
  send({ method: "notifications/initialized" });
  return { child, temporary, send };
}

function longTest(url: string): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: { s: {
    executor: "constant-vus", vus: 1, duration: "40s", gracefulStop: "10s",
    exec: async ({ http, sleep }) => { await http.get("/" + process.pid); await sleep("20ms"); },
  } },
});
`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === "win32")("a signal ends the load and removes the folder", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s", { timeout: 40_000 }, async (signal) => {
    let pid = 0;
    const { url } = await startServer((request, response) => {
      pid = Number(request.url?.slice(1));
      response.end();
    });
    const directory = folderOf({ "long.load.ts": longTest(url) });
    const { child, temporary, send } = startProgram(directory);
    send({
      id: 2,
      method: "tools/call",
      params: { name: "run_test", arguments: { file: "long.load.ts" } },
    });
    await expect.poll(() => pid, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(readdirSync(temporary).filter((name) => name.startsWith("bearhug-mcp-"))).toHaveLength(1);
    child.kill(signal);
    const [exitCode] = (await once(child, "exit")) as [number | null];
    expect(exitCode).toBe(128 + constants.signals[signal]);
    expect(readdirSync(temporary).filter((name) => name.startsWith("bearhug-mcp-"))).toEqual([]);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });
});

test("a message that is too long ends the server with an error", async () => {
  const { child } = startProgram(folderOf({}));
  child.stdin.on("error", () => {
    // The program ends before it has read everything.
  });
  child.stdin.write("x".repeat(11_000_000));
  const stderr = text(child.stderr);
  const [exitCode] = (await once(child, "exit")) as [number | null];
  expect(await stderr).toContain("A message on stdin is longer than 10 MB.");
  expect(exitCode).toBe(1);
});

test.each([
  [["--host", "http://x"], '--host "http://x": must be a host'],
  [["--host", ""], '--host "": must be a host'],
  [["--host", "*"], '--host "*": must be a host'],
  [["--host", "127.0.0.1:"], '--host "127.0.0.1:": must be a host'],
  [["--directory", import.meta.filename], "is not a folder"],
  [["--directory", "none"], "there is no such folder"],
])("the options %j are refused in one sentence", (words, sentence) => {
  const program = join(import.meta.dirname, "../src/main.ts");
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: "utf8",
    input: "",
  });
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(status).toBe(104);
});
