import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { FileNotWritten } from "@bearhug/report/file-output/write-files";

import { Stopped } from "./stop-signals.ts";
import { warn } from "./warn.ts";

/**
 * Does the work of a command. Reports a file that cannot be written, or a signal, and sets the exit code for
 * it.
 */
export async function reportFailures(command: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FileNotWritten || error instanceof Stopped)) throw error;
    warn(`bearhug ${command}: ${error.message}`);
    process.exitCode = error instanceof Stopped ? exitCodes.interrupted : exitCodes.reportNotWritten;
  }
}
