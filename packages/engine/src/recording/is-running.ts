import { readFile } from "node:fs/promises";

import { errorCode } from "@bearhug/text/caught-error";

/**
 * After a silence this long, the process has ended, even if its id is in use: another process may have it by
 * now.
 */
const goneAfterMs = 3_600_000;
/** The limit on systems that do not distinguish a process from a zombie. A run writes every second. */
const goneUnseenAfterMs = 30_000;

/** Returns true if a process of this machine, silent for `silentMs`, still runs. */
export async function isRunning(pid: number, silentMs: number, procFolder = "/proc"): Promise<boolean> {
  if (silentMs >= goneAfterMs) return false;
  // In containers, ids are soon reused: a file older than this process belongs to another.
  if (pid === process.pid) return silentMs < process.uptime() * 1000;
  if (!processExists(pid)) return false;
  const state = await stateOf(pid, procFolder);
  if (state === null) return silentMs < goneUnseenAfterMs;
  return !deadStates.includes(state);
}

/** True if a process has this id, even another user's or a zombie. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return errorCode(error) === "EPERM";
  }
}

/**
 * The states of a process that has ended but keeps its id until its parent collects it. In containers, often
 * none does.
 */
const deadStates = ["Z", "X", "x"];

/** Reads the letter of a process's state on Linux; null on other systems. */
async function stateOf(pid: number, procFolder: string): Promise<string | null> {
  try {
    const line = await readFile(`${procFolder}/${pid}/stat`, "utf8");
    // The state follows the program's name, which is in parentheses and may contain parentheses itself.
    return /.*\) ([A-Za-z])/s.exec(line)?.[1] ?? null;
  } catch {
    return null;
  }
}
