import { createHash } from "node:crypto";

import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";

import { readValue, writeValue } from "./portable-value.ts";

/** A file of a job. */
export interface JobFile {
  /** Relative to the job's folder, with `/` between folders. */
  readonly path: string;
  /** The hash of its content, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A place of the machine that packed the test, as its bundle names it. */
export interface JobPlace {
  /** The variable that stands for it in the bundle. */
  readonly variable: string;
  /** A path, the same as a `file:` URL, or the SDK's path on the machine that runs the job. */
  readonly kind: "path" | "url" | "sdk";
  /** Relative to the job's folder; empty for the folder itself. */
  readonly path: string;
}

/** The test of a job. */
export type JobSource =
  | {
      readonly kind: "module";
      /** The bundle and its source map are files of the job. */
      readonly bundle: string;
      /** The folder of the test's own file. */
      readonly folder: string;
      readonly mayFetch: boolean;
      readonly mayHaveStages: boolean;
      readonly places: readonly JobPlace[];
      /** False for a test that nobody has written: places in it would tell nothing. */
      readonly isLocated: boolean;
    }
  | { readonly kind: "url"; readonly requests: readonly UrlRequest[] };

/** Everything that another machine needs to run a test, besides the content of its files. It may hold secrets. */
export interface JobDescription {
  readonly source: JobSource;
  readonly fallbackName: string;
  readonly fingerprint: string | null;
  /** The test's file as the user named it; null where there is none. */
  readonly file: string | null;
  /** The sharding in them is that of the whole run: each machine puts its own in its place. */
  readonly options: RunOptions;
  /** Variables of the environment that the test may declare. */
  readonly environment: Readonly<Record<string, string>>;
  /** The working folder, relative to the job's folder. */
  readonly workingFolder: string;
  /** The job's folder on the machine that packed the test. */
  readonly packedFrom: string;
  readonly files: readonly JobFile[];
}

/** The most that the files of a job may hold together: each machine gets them all before the load starts. */
export const mostJobBytes: number = 256 * 2 ** 20;

export function describeFile(path: string, content: Uint8Array): JobFile {
  return { path, sha256: hashOf(content), bytes: content.length };
}

export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

const schema = "bearhug/job@1";

export function writeDescription(job: JobDescription): string {
  return writeValue({ schema, version, job });
}

/** Reads the description of a job from a coordinator that is trusted: it runs its code. @throws {InvalidInput} */
export function readDescription(text: string): JobDescription {
  const found = readValue(text) as { schema?: unknown; version?: unknown; job?: JobDescription };
  if (found.schema !== schema || found.job === undefined)
    throw new InvalidInput(["The coordinator sent no job that this version of bearhug can read."]);
  if (found.version !== version)
    throw new InvalidInput([
      `The coordinator runs bearhug ${String(found.version)}, and this machine ${version}. Install the same version.`,
    ]);
  const unsafe = found.job.files.find(({ path }) => !isWithin(path));
  if (unsafe !== undefined)
    throw new InvalidInput([`The job has a file outside its folder: ${JSON.stringify(unsafe.path)}.`]);
  return found.job;
}

function isWithin(path: string): boolean {
  return path
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== ".." && !/[\\:\0]/.test(part));
}
