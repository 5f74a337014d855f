import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runBearhug } from "../src/command.ts";
import { Turns } from "../src/server.ts";
import { call, connect, folderOf } from "./connect.ts";

const bounds = { hosts: ["127.0.0.1"], vus: 4, seconds: 60 };

function testOf(exec: string): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  env: { WORD: { default: "none" } },
  scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec: ${exec} } },
});
`;
}

test("only the start of a very long output is kept", async () => {
  const program = `for (let n = 0; n < 300; n++) require("fs").writeSync(1, "x".repeat(100_000))`;
  const { stdout } = await runBearhug([], {
    command: ["-e", program],
    cwd: folderOf({}),
    variables: {},
    signal: new AbortController().signal,
    kill: new AbortController().signal,
    timeoutMs: 60_000,
  });
  expect(stdout.text).toHaveLength(1_000_000);
  expect(stdout.length).toBe(30_000_000);
});

test("one task runs at a time, even after another failed or was cancelled", async () => {
  const turns = new Turns();
  const { signal } = new AbortController();
  let running = 0;
  const work = async (): Promise<number> => {
    running += 1;
    const seen = running;
    await new Promise(setImmediate);
    running -= 1;
    return seen;
  };
  const failing = turns.take(signal, () => Promise.reject(new Error("no")));
  const all = Array.from({ length: 5 }, () => turns.take(signal, work));
  const cancelled = turns.take(AbortSignal.abort(), work);
  await expect(failing).rejects.toThrow("no");
  await expect(cancelled).rejects.toThrow();
  expect(await Promise.all(all)).toEqual([1, 1, 1, 1, 1]);
});

test("an endless iteration is stopped", { timeout: 40_000 }, async () => {
  // It never returns to the event loop, and waits instead of computing, which would keep a core busy for 10 s.
  const endless =
    "() => { const cell = new Int32Array(new SharedArrayBuffer(4)); for (;;) Atomics.wait(cell, 0, 0, 100); }";
  const directory = folderOf({ "loop.load.ts": testOf(endless) });
  const client = await connect({ ...bounds, seconds: 1, directory });
  const { text, isError } = await call(client, "try_test", { file: "loop.load.ts" });
  expect(text).toContain("It was stopped, as it took too long.");
  expect(isError).toBe(true);
});

test.skipIf(process.platform !== "linux")("variables are not visible in the list of processes", async () => {
  const exec = `async ({ env, log }) => {
    const { readFileSync } = await import("node:fs");
    log(env.WORD + " " + readFileSync("/proc/self/cmdline", "utf8").includes(env.WORD));
  }`;
  const client = await connect({ ...bounds, directory: folderOf({ "a.load.ts": testOf(exec) }) });
  const { text } = await call(client, "try_test", { file: "a.load.ts", variables: { WORD: "a = b" } });
  expect(JSON.parse(text)).toMatchObject({ steps: [{ kind: "log", text: "a = b false" }] });
});

test.each([
  ["a variable that the test does not declare", { variables: { WORDS: "x" } }, /Did you mean WORD\?/],
  ["a NUL byte", { variables: { WORD: "a\0b" } }, /must be one line without NUL bytes/],
  ["several lines", { variables: { WORD: "a\nOTHER=b" } }, /must be one line without NUL bytes/],
  ["a very long value", { variables: { WORD: "x".repeat(40_000) } }, /at most 30000 bytes/],
  ["a duration near zero", { seconds: 1e-9 }, /must be at least 0\.001/],
  ["a long path", { file: "x".repeat(9_000_000) }, /4096/],
])("%s is refused with a short message", async (_name, values, says) => {
  const directory = folderOf({ "a.load.ts": testOf("() => {}") });
  const client = await connect({ ...bounds, directory });
  const { text, isError } = await call(client, "run_test", { file: "a.load.ts", ...values });
  expect(text).toMatch(says);
  expect(text.length).toBeLessThan(1000);
  expect(isError).toBe(true);
});

test("the documented command line keeps npx from installing a package with the name of the program", () => {
  for (const page of ["../README.md", "../../../docs/coding-agents.md"])
    expect(readFileSync(join(import.meta.dirname, page), "utf8")).toContain(
      '"args": ["--no", "--", "bearhug-mcp", ',
    );
});
