import type { TestResult } from "@bearhug/sdk";

import { stageFile, type Content } from "../file-output/stage-file.ts";
import type { Reporter } from "./reporter.ts";
import { ReportNotWritten } from "./report-not-written.ts";

/** A report that is one file. */
export function createFileReporter(
  name: string,
  path: string,
  render: (result: TestResult) => Content | Promise<Content>,
): Reporter {
  return { name, path, onEnd: (result) => writeReport(name, path, () => render(result)) };
}

/**
 * Writes a report whole or not at all.
 * @throws {ReportNotWritten}
 */
async function writeReport(
  reporter: string,
  path: string,
  render: () => Content | Promise<Content>,
): Promise<void> {
  try {
    const staged = await stageFile(path, await render());
    try {
      await staged.commit();
    } catch (error) {
      await staged.discard().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw new ReportNotWritten(reporter, error, path);
  }
}
