import { stageFile } from "../file-output/stage-file.ts";
import { ReportNotWritten } from "./report-not-written.ts";

/**
 * Writes a report whole or not at all.
 * @throws {ReportNotWritten}
 */
export async function writeReport(reporter: string, path: string, content: string): Promise<void> {
  try {
    const staged = await stageFile(path, content);
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
