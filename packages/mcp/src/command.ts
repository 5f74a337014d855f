import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** How a bearhug command ended. */
export interface Ended {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: Printed;
  readonly stderr: Printed;
  /** True if it was stopped because it took too long. */
  readonly isLate: boolean;
}

/** The start of an output, and how long all of it was. */
export interface Printed {
  readonly text: string;
  readonly length: number;
}

export interface Starting {
  /** The program of the command, with Node's options. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Values of variables that the test declares. */
  readonly variables: Readonly<Record<string, string>>;
  /** Stops the command: first gracefully, so that a run still judges what it measured. */
  readonly signal: AbortSignal;
  /** Kills the command at once. */
  readonly kill: AbortSignal;
  /** The command is stopped after this time. */
  readonly timeoutMs: number;
}

/** How long a command may take to end once it was asked to. */
const graceMs = 5_000;

/** Far more than an answer shows. A test may print without end. */
const mostKept = 1_000_000;

/** Runs a bearhug command to its end. */
export async function runBearhug(
  arguments_: readonly string[],
  { command, cwd, variables, signal, kill, timeoutMs }: Starting,
): Promise<Ended> {
  const child = spawn(process.execPath, [...command, ...arguments_], {
    cwd,
    env: { ...ownEnvironment(), ...environmentOf(variables) },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const stdout = keepStart(child.stdout);
  const stderr = keepStart(child.stderr);
  const late = AbortSignal.timeout(timeoutMs);
  const ended = new AbortController();
  onAbort(AbortSignal.any([signal, late]), ended.signal, () => {
    child.kill("SIGINT");
    setTimeout(killNow, graceMs, child).unref();
  });
  onAbort(kill, ended.signal, () => {
    killNow(child);
  });
  await once(child, "close");
  ended.abort();
  return { exitCode: child.exitCode, stdout: stdout(), stderr: stderr(), isLate: late.aborted };
}

function onAbort(signal: AbortSignal, until: AbortSignal, react: () => void): void {
  if (signal.aborted) react();
  else signal.addEventListener("abort", react, { once: true, signal: until });
}

/** Its output is closed, too: programs that it started may hold that open. */
function killNow(child: ChildProcessByStdio<null, Readable, Readable>): void {
  child.kill("SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
}

/** Reads a stream to its end. Returns what tells the start of it. */
function keepStart(stream: Readable): () => Printed {
  let text = "";
  let length = 0;
  stream.setEncoding("utf8").on("data", (more: string) => {
    length += more.length;
    if (text.length < mostKept) text += more.slice(0, mostKept - text.length);
  });
  return () => ({ text, length });
}

/** Without the variables that are options of bearhug: what was set for the user's own runs would change the bounds. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BEARHUG_")));
}

/** Stands for `--env`, which other users of the machine could read in the list of processes. */
function environmentOf(variables: Starting["variables"]): NodeJS.ProcessEnv {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return lines.length === 0 ? {} : { BEARHUG_ENV: lines.join("\n") };
}
