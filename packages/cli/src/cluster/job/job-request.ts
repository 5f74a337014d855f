import type { LoadedTest } from "@bearhug/engine/run/load-test";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";

import type { JobSource } from "./job-description.ts";
import type { JobFolder } from "./job-folder.ts";

/** A test that is to run on other machines, and how. */
export interface JobRequest {
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  /** Files that the test reads besides those that its code names. */
  readonly files: readonly string[];
  /** The folder in which the command was started. */
  readonly workingFolder: string;
}

/** A packed source, and what it needs on other machines. */
export interface PackedSource {
  readonly source: JobSource;
  /** Variables of the environment that the test may declare. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: JobFolder;
  /** Files that only the job has, by their paths in it. */
  readonly made: ReadonlyMap<string, Uint8Array>;
  /** Files of this machine, by their paths in the job. */
  readonly taken: ReadonlyMap<string, string>;
}
