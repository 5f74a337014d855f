import { BearhugError } from "@bearhug/sdk";

/** A report that could not be written; the run's verdict stands, its exit code becomes 111 where all else was well. */
export class ReportNotWritten extends BearhugError {
  override readonly name = "ReportNotWritten";
  readonly code = "REPORT_NOT_WRITTEN";
  /** The reporter, as `--out` names it. */
  readonly reporter: string;
  constructor(reporter: string, cause: unknown, path?: string) {
    super(
      `report not written: ${explain(cause)} (${path === undefined ? reporter : `${reporter} to ${path}`})`,
      { cause },
    );
    this.reporter = reporter;
  }
}

/** The system's messages begin with their code: "ENOSPC: no space left on device, write". */
function explain(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
