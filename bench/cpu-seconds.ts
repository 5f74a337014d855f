import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, type Stream } from "node:stream";
import { text } from "node:stream/consumers";

export interface TimedProcess {
  /** User and system time of all threads, from start to end. */
  readonly cpuS: number;
  readonly output: string;
}

// Node tells no rusage of a process that has ended; the shell does, to the millisecond.
const timed = `TIMEFORMAT="%3U %3S"; { time "$0" "$@" 2>&4; } 4>&2 2>&3`;

/** Runs a command to its end. */
export async function cpuSecondsOf(
  command: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<TimedProcess> {
  const shell = spawn("bash", ["-c", timed, ...command], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
    env: environment,
  });
  const [output, times] = [read(shell.stdio[1]), read(shell.stdio[3])];
  await once(shell, "exit");
  const [user = Number.NaN, system = Number.NaN] = (await times).trim().split(" ").map(Number);
  return { cpuS: user + system, output: await output };
}

async function read(stream: Stream | null | undefined): Promise<string> {
  return stream instanceof Readable ? text(stream) : "";
}
