import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { describe, expect, onTestFinished, test } from "vitest";

import { isRunning } from "../../src/recording/is-running.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

const patience = { timeout: 10_000 };

/**
 * Returns the id of a process that has ended but is not reaped: its parent, a shell that would reap it, has
 * become `sleep`.
 */
async function makeZombie(): Promise<number> {
  const parent = spawn("sh", ["-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 60"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => {
    parent.kill();
  });
  const line: unknown[] = await once(createInterface(parent.stdout), "line");
  const pid = Number(line[0]);
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8"), patience).toBe("sleep\n");
  parent.stdin.end();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8"), patience).toContain(") Z ");
  return pid;
}

describe.runIf(process.platform === "linux")("where the system reports the state of a process", () => {
  test("a process that has ended but was not reaped is not running", async () => {
    const pid = await makeZombie();
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(await isRunning(pid, 0)).toBe(false);
  });

  test("a process that exists is running, unless it was silent for an hour", async () => {
    expect(await isRunning(process.ppid, 600_000)).toBe(true);
    expect(await isRunning(process.ppid, 3_600_000)).toBe(false);
  });
});

test("a process that is gone is not running, however recently it wrote", async () => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  expect(await isRunning(child.pid ?? 0, 0)).toBe(false);
});

test("a program's name is not taken for its state", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, String(process.ppid)));
  const stat = join(folder, String(process.ppid), "stat");
  writeFileSync(stat, `${process.ppid} (x) Z (y) S 1 2 3`);
  expect(await isRunning(process.ppid, 0, folder)).toBe(true);
  writeFileSync(stat, `${process.ppid} (x) S (y) Z 1 2 3`);
  expect(await isRunning(process.ppid, 0, folder)).toBe(false);
});

test("where the system does not report it, a process that was silent for half a minute has ended", async () => {
  const nowhere = join(temporaryFolder(), "nowhere");
  expect(await isRunning(process.ppid, 29_000, nowhere)).toBe(true);
  expect(await isRunning(process.ppid, 30_000, nowhere)).toBe(false);
});
