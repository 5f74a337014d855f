import { existsSync } from "node:fs";

import { releaseExits } from "@bearhug/engine/worker/exit-guard";
import { flushOutput } from "@bearhug/engine/worker/masked-output";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { firstWriteError } from "@bearhug/text/text-output";

/** The time in which a process with no work left ends by itself. */
const graceMs = 1000;

/** The exit code that the command decided; null before. */
let decided: number | null = null;

/** Sets the exit code of the process. Code of a test that runs in this thread cannot change it later. */
export function setExitCode(exitCode: number): void {
  decided = exitCode;
  process.exitCode = exitCode;
}

/**
 * Ends the process with its exit code, or that of a failure, once all output is flushed, even if some work is
 * still pending. A process without pending work ends by itself at once.
 */
export async function leave(failure: number | null): Promise<void> {
  if (failure !== null) setExitCode(failure);
  await flushOutput();
  // The test's code runs in this thread (--workers 0): it must not be able to change the exit code.
  const mustEnd = releaseExits(decided);
  decided = null;
  reportLostOutput();
  if (mustEnd) end();
  setTimeout(end, graceMs).unref();
}

/** Reports that stdout was lost, as on a full disk: a command that only prints has then failed. */
function reportLostOutput(): void {
  const loss = firstWriteError(process.stdout);
  // A run reports the loss itself, with an exit code.
  if (loss === null || (process.exitCode ?? exitCodes.passed) !== exitCodes.passed) return;
  process.exitCode = exitCodes.reportNotWritten;
  process.stderr.write(`bearhug: stdout could not be written: ${loss.message}\n`);
}

/**
 * Ends the process without waiting for its threads. `process.exit` joins the threads that look up names and
 * open files, and their blocking calls cannot be cancelled: an unresponsive name server would hold the
 * process for half a minute. `execve` replaces the process by a short program, which ends all its threads at
 * once and exits with the given code.
 */
function end(): void {
  const script = `process.exitCode = ${process.exitCode ?? 0}`;
  try {
    // execve does not exist on Windows, and aborts the process if the file is gone, as after an update of
    // Node.
    if (existsSync(process.execPath))
      process.execve?.(process.execPath, [process.execPath, "--eval", script], {
        ...process.env,
        NODE_OPTIONS: "",
      });
  } catch {
    // Node's permission model may forbid child processes.
  }
  process.exit();
}
