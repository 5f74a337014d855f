import { spawn } from "node:child_process";
import { once } from "node:events";

/** How a bearhug command ended. */
export interface Ended {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Starting {
  /** The program of the command, with Node's options. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Stops the command: first gracefully, so that a run still judges what it measured. */
  readonly signal: AbortSignal;
  /** The command is stopped after this time. */
  readonly timeoutMs: number;
}

/** How long a command may take to end once it was asked to. */
const graceMs = 10_000;

/** Runs a bearhug command to its end. */
export async function runBearhug(
  arguments_: readonly string[],
  { command, cwd, signal, timeoutMs }: Starting,
): Promise<Ended> {
  const child = spawn(process.execPath, [...command, ...arguments_], {
    cwd,
    env: ownEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const stop = (): void => {
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), graceMs).unref();
  };
  if (either.aborted) stop();
  else either.addEventListener("abort", stop, { once: true });
  await once(child, "close");
  either.removeEventListener("abort", stop);
  return { exitCode: child.exitCode, ...output };
}

/** Without the variables that are options of bearhug: what was set for the user's own runs would change the bounds. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BEARHUG_")));
}
