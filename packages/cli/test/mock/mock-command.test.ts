import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

import { InvalidInput } from "@bearhug/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createCommand } from "../../src/commands/start/mock.ts";

let folder = "";
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-mock-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

async function writeCapture(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const har = JSON.stringify({
  log: { entries: [{ request: { method: "GET", url: "https://shop.test/a" } }] },
});

/** Starts the command in its own process. */
function start(
  ...args: string[]
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const module = pathToFileURL(join(import.meta.dirname, "../../src/commands/start/mock.ts")).href;
  const script = `const { createCommand } = await import(${JSON.stringify(module)}); await createCommand().parseAsync(process.argv.slice(1), { from: "user" });`;
  const child = spawn(
    process.execPath,
    ["--conditions=bearhug-source", "--input-type=module", "-e", script, "--", ...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  children.push(child);
  return child;
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "it prints its address, serves, and exits cleanly on %s",
  async (signal) => {
    const child = start(await writeCapture("my shop.har", har));
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    expect(line).toMatch(/^bearhug mock: my shop\.har on http:\/\/127\.0\.0\.1:\d+$/);
    const url = line.split(" ").at(-1) ?? "";
    expect((await fetch(`${url}/a`)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test("unreadable entries of a capture are reported on stderr: the first five, and the number of the others", async () => {
  const entries = [...Array<null>(8).fill(null), { request: { method: "GET", url: "https://shop.test/a" } }];
  const child = start(await writeCapture("odd.har", JSON.stringify({ log: { entries } })));
  await once(createInterface({ input: child.stdout }), "line");
  child.kill("SIGTERM");
  const lines = (await text(child.stderr)).trim().split("\n");
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe("bearhug mock: $.log.entries[0]: is missing or invalid; entry skipped");
  expect(lines[5]).toBe("bearhug mock: and 3 more");
});

async function problemsOf(...args: string[]): Promise<readonly string[]> {
  const command = createCommand().exitOverride();
  const error: unknown = await command.parseAsync(args, { from: "user" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidInput);
  return (error as InvalidInput).problems;
}

test("a path or file that cannot be used is invalid input, reported in one sentence", async () => {
  expect(await problemsOf(join(folder, "none.har"))).toEqual([
    `There is no file ${join(folder, "none.har")}.`,
  ]);
  expect(await problemsOf(folder)).toEqual([`${folder} is a folder. Pass a .har file.`]);
  expect(await problemsOf(await writeCapture("empty.har", "{}"))).toEqual([
    'empty.har: The file has no "log" object, so it is not a HAR capture.',
  ]);
});

test("an address that cannot be listened on is invalid input", async () => {
  const path = await writeCapture("shop.har", har);
  expect(await problemsOf(path, "--listen", "192.0.2.1:0")).toEqual([
    "192.0.2.1 is not an address of this machine (EADDRNOTAVAIL). Choose one with --listen; 127.0.0.1 always works.",
  ]);
});
