import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** The end of a bearhug command. */
export interface CommandEnd {
  /** Null if the command was killed. */
  readonly exitCode: number | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** True if the command was stopped because it took too long. */
  readonly isLate: boolean;
}

/** The start of an output, and the length of the whole. */
export interface CapturedOutput {
  readonly text: string;
  readonly length: number;
}

export interface CommandOptions {
  /** The program, preceded by Node's options. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Values of variables that the test declares. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Stops the command gracefully, so that a run still judges its measurements; kills it if it does not end.
   */
  readonly signal: AbortSignal;
  /** Kills the command without grace. */
  readonly kill: AbortSignal;
  /** The time after which the command is stopped. */
  readonly timeoutMs: number;
}

/** The time in which a command must end after SIGINT. */
const graceMs = 5_000;

/** The limit of kept output: far more than a reply contains. A test may print endlessly. */
const maxKeptCharacters = 1_000_000;

export async function runBearhug(
  arguments_: readonly string[],
  { command, cwd, variables, signal, kill, timeoutMs }: CommandOptions,
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [...command, ...arguments_], {
    cwd,
    env: { ...ownEnvironment(), ...environmentOf(variables) },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const stdout = captureStart(child.stdout);
  const stderr = captureStart(child.stderr);
  const late = AbortSignal.timeout(timeoutMs);
  const ended = new AbortController();
  onAbort(AbortSignal.any([signal, late]), ended.signal, () => {
    child.kill("SIGINT");
    setTimeout(killNow, graceMs, child).unref();
  });
  onAbort(kill, ended.signal, () => killNow(child));
  await once(child, "close");
  ended.abort();
  return { exitCode: child.exitCode, stdout: stdout(), stderr: stderr(), isLate: late.aborted };
}

function onAbort(signal: AbortSignal, until: AbortSignal, react: () => void): void {
  if (signal.aborted) react();
  else signal.addEventListener("abort", react, { once: true, signal: until });
}

/** Kills a command, and closes its output, which child processes may hold open. */
function killNow(child: ChildProcessByStdio<null, Readable, Readable>): void {
  child.kill("SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
}

/** Reads a stream to its end. Returns a function that returns its start. */
function captureStart(stream: Readable): () => CapturedOutput {
  let text = "";
  let length = 0;
  stream.setEncoding("utf8").on("data", (more: string) => {
    length += more.length;
    if (text.length < maxKeptCharacters) text += more.slice(0, maxKeptCharacters - text.length);
  });
  return () => ({ text, length });
}

/**
 * Returns the environment without bearhug's own variables: those that the user set for other runs could
 * change the bounds.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BEARHUG_")));
}

/**
 * Returns the variables for the environment: other users of the machine could read `--env` in the process
 * list.
 */
function environmentOf(variables: CommandOptions["variables"]): NodeJS.ProcessEnv {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return lines.length === 0 ? {} : { BEARHUG_ENV: lines.join("\n") };
}
