import { existsSync } from "node:fs";

import { decideExit, releaseExits } from "@bearhug/engine/worker/exit-guard";
import { handOnOutput } from "@bearhug/engine/worker/masked-output";
import { exitCodes } from "@bearhug/text/exit-codes";
import { lossOf } from "@bearhug/text/text-output";

/** Finished work lets the process end by itself within this time. */
const graceMs = 1000;

/**
 * Ends the process with its exit code, or that of a failure, although work goes on that nobody waits for, once everything written is handed
 * on. Where nothing goes on the process ends by itself, and at once.
 */
export async function leave(failure: number | null): Promise<void> {
  if (failure !== null) decideExit(failure);
  await handOnOutput();
  // The code of a test is in this thread: nothing that it left behind may have the last word.
  const mustEnd = releaseExits();
  tellOfLoss();
  if (mustEnd) end();
  setTimeout(end, graceMs).unref();
}

/** A command that only prints has done nothing if its output is lost, as on a full disk. */
function tellOfLoss(): void {
  const loss = lossOf(process.stdout);
  // A run has its exit code and its message for it.
  if (loss === null || (process.exitCode ?? exitCodes.passed) !== exitCodes.passed) return;
  process.exitCode = exitCodes.reportNotWritten;
  process.stderr.write(`bearhug: stdout could not be written: ${loss.message}\n`);
}

/**
 * `process.exit` joins the threads in which the system looks up names and opens files, and what one of them waits for
 * cannot be cancelled: a name server that does not answer would hold the process for half a minute. Another program in
 * the same process ends all its threads at once, and leaves with the code that it is told.
 */
function end(): void {
  const script = `process.exitCode = ${process.exitCode ?? 0}`;
  try {
    // Not on Windows. A program that is gone, as after an update, would be a crash.
    if (existsSync(process.execPath))
      process.execve?.(process.execPath, [process.execPath, "--eval", script], {
        ...process.env,
        NODE_OPTIONS: "",
      });
  } catch {
    // Node was told to start no other program.
  }
  process.exit();
}
