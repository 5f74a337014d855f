import { readFile } from "node:fs/promises";

/** The number of a process that ended may belong to another by now: a silence this long is nobody's pause. */
const goneAfterMs = 3_600_000;
/** For systems that do not tell a process from a zombie. A run writes every second. */
const goneUnseenAfterMs = 30_000;

/** Returns true if a process of this machine, silent for `silentMs`, still runs. */
export async function isRunning(pid: number, silentMs: number, procFolder = "/proc"): Promise<boolean> {
  if (silentMs >= goneAfterMs) return false;
  // Within containers numbers return soon: a file older than this process is not its own.
  if (pid === process.pid) return silentMs < process.uptime() * 1000;
  if (!isThere(pid)) return false;
  const state = await stateOf(pid, procFolder);
  if (state === null) return silentMs < goneUnseenAfterMs;
  return !deadStates.includes(state);
}

/** True for the number of a process, whoever owns it; also of one that has ended and is not collected yet. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Ended, and only its number is left until its parent asks for it: in containers often nobody does. */
const deadStates = ["Z", "X", "x"];

/** The letter that Linux has for what a process does; null where it does not tell. */
async function stateOf(pid: number, procFolder: string): Promise<string | null> {
  try {
    const line = await readFile(`${procFolder}/${pid}/stat`, "utf8");
    // Behind the program's name, which stands in parentheses and may hold some itself.
    return /.*\) ([A-Za-z])/s.exec(line)?.[1] ?? null;
  } catch {
    return null;
  }
}
