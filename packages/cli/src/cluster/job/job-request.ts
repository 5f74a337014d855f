import type { LoadedTest } from "@bearhug/engine/run/load-test";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";

import type { JobSource } from "./job-description.ts";
import type { JobFolder } from "./job-folder.ts";

/** A test to run on other machines, with its options. */
export interface JobRequest {
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  /** Files that the test reads besides those named in its code. */
  readonly files: readonly string[];
  /** The folder where the command was started. */
  readonly workingFolder: string;
}

/** A packed source, with everything that it needs on other machines. */
export interface PackedSource {
  readonly source: JobSource;
  /** Variables of the environment that the test may declare. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: JobFolder;
  /** Generated files, by their paths in the job. */
  readonly made: ReadonlyMap<string, Uint8Array>;
  /** Paths of this machine's files, by their paths in the job. */
  readonly taken: ReadonlyMap<string, string>;
}
