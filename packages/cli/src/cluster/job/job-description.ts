import { hash } from "node:crypto";

import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";

import { readValue, writeValue } from "./portable-value.ts";

export interface JobFile {
  /** The path relative to the job's folder, with `/` between folders. */
  readonly path: string;
  /** The hash of the content, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A path on the machine that packed the test, as the bundle's code mentions it. */
export interface JobPlace {
  /** The variable that replaces it in the bundle. */
  readonly variable: string;
  /** A path, a path as a `file:` URL, or the SDK's path on the machine that runs the job. */
  readonly kind: "path" | "url" | "sdk";
  /** The path relative to the job's folder; empty for the folder itself. */
  readonly path: string;
}

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
      /** False for a generated test: places in its source mean nothing to the user. */
      readonly isLocated: boolean;
    }
  | { readonly kind: "url"; readonly requests: readonly UrlRequest[] };

/**
 * Everything that another machine needs to run a test, except the content of its files. It may contain
 * secrets.
 */
export interface JobDescription {
  readonly source: JobSource;
  readonly fallbackName: string;
  readonly fingerprint: string | null;
  /** The test's file as the user named it; null if there is none. */
  readonly file: string | null;
  /** The options of the whole run. Each machine replaces the sharding by its own. */
  readonly options: RunOptions;
  /** Variables of the environment that the test may declare. */
  readonly environment: Readonly<Record<string, string>>;
  /** The working folder, relative to the job's folder. */
  readonly workingFolder: string;
  /** The job's folder on the machine that packed the test. */
  readonly packedFrom: string;
  readonly files: readonly JobFile[];
}

/** The limit of a job's total file size: each machine receives all files before the load starts. */
export const maxJobBytes: number = 256 * 2 ** 20;

export function describeFile(path: string, content: Uint8Array): JobFile {
  return { path, sha256: hashOf(content), bytes: content.length };
}

export function hashOf(content: Uint8Array): string {
  return hash("sha256", content);
}

const schema = "bearhug/job@1";

export function writeDescription(job: JobDescription): string {
  return writeValue({ schema, version, job });
}

/**
 * Parses the description of a job. The coordinator must be trusted, because the job's code will run. @throws
 * {InvalidInput}
 */
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
