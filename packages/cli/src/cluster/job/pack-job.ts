import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { sumBy } from "@bearhug/metrics/sum";
import { readCertificateFile } from "@bearhug/plan/test-file/certificate-file";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { displayPath } from "@bearhug/plan/test-file/source-lines";
import { InvalidInput } from "@bearhug/sdk";
import { formatBytes } from "@bearhug/text/bytes";
import { errorCode } from "@bearhug/text/caught-error";

import { describeFile, maxJobBytes, writeDescription, type JobFile } from "./job-description.ts";
import { jobFolderAround } from "./job-folder.ts";
import type { JobRequest, PackedSource } from "./job-request.ts";
import { packModule } from "./pack-module.ts";

/** A test in the form in which other machines receive it. */
export interface PackedJob {
  /** A `JobDescription` as text, which may contain secrets. */
  readonly description: string;
  readonly files: readonly JobFile[];
  /** Reads the content of a file. Rejects if the file has become unreadable. */
  readonly read: (file: JobFile) => Promise<Uint8Array>;
}

/**
 * Packs a loaded test without running any of its code. @throws {InvalidInput} with one sentence for each file
 * that cannot be sent
 */
export async function packJob(given: JobRequest): Promise<PackedJob> {
  const order = { ...given, options: withCertificates(given.options) };
  const { source } = order.loaded;
  switch (source.kind) {
    case "object":
      throw new InvalidInput(["A test object cannot be sent to other machines. Name the test's file."]);
    case "url": {
      const folder = jobFolderAround([order.workingFolder]);
      return pack(order, { source, environment: {}, folder, made: new Map(), taken: new Map() });
    }
    case "module":
      return pack(order, packModule(order, source));
  }
}

async function pack(order: JobRequest, { made, taken, folder, ...packed }: PackedSource): Promise<PackedJob> {
  const { file, fallbackName, fingerprint } = order.loaded;
  const { options } = order;
  const described = Array.from(made, ([path, content]) => describeFile(path, content));
  // Checked before reading: files of several gigabytes do not fit in memory.
  rejectTooLarge([...described, ...sizesOf(taken)]);
  const files = [...described, ...(await describeTaken(taken))];
  rejectTooLarge(files);
  const description = writeDescription({
    ...packed,
    fallbackName,
    fingerprint,
    file,
    options,
    files,
    workingFolder: folder.pathOf(order.workingFolder),
    packedFrom: folder.root,
  });
  const read = async ({ path }: JobFile): Promise<Uint8Array> =>
    made.get(path) ?? readFile(taken.get(path) ?? path);
  return { description, files, read };
}

async function describeTaken(taken: ReadonlyMap<string, string>): Promise<JobFile[]> {
  const files: JobFile[] = [];
  const problems: string[] = [];
  for (const [path, origin] of taken) {
    try {
      files.push(describeFile(path, await readFile(origin)));
    } catch (error) {
      problems.push(unreadable(displayPath(origin), error));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return files;
}

type FileSize = Pick<JobFile, "path" | "bytes">;

/** Returns the sizes of files; 0 for unreadable ones, which `describeTaken` reports. */
function sizesOf(taken: ReadonlyMap<string, string>): FileSize[] {
  return Array.from(taken, ([path, origin]) => {
    const bytes = statSync(origin, { throwIfNoEntry: false })?.size ?? 0;
    return { path, bytes };
  });
}

function rejectTooLarge(files: readonly FileSize[]): void {
  const bytes = sumBy(files, (one) => one.bytes);
  if (bytes > maxJobBytes) throw new InvalidInput([describeTooLarge(files, bytes)]);
}

function describeTooLarge(files: readonly FileSize[], bytes: number): string {
  const [largest] = files.toSorted((one, other) => other.bytes - one.bytes);
  const named =
    largest === undefined
      ? ""
      : `; ${largest.path.replace(/^files\//, "")} has ${formatBytes(largest.bytes)}`;
  return `The files that the test needs have ${formatBytes(bytes)}${named}. Agents are sent at most ${formatBytes(maxJobBytes)}: put large files onto each agent, and name their paths in a variable.`;
}

function unreadable(file: string, error: unknown): string {
  const code = errorCode(error) ?? String(error);
  return `${file}: cannot be read (${code}), so it cannot be sent to the agents.`;
}

/** Replaces paths of certificates by their content: other machines do not have the files. */
function withCertificates(options: RunOptions): RunOptions {
  const { ca, client } = options.http;
  const problems: string[] = [];
  const read = (flag: string, given: string): string => {
    if (given.includes("-----BEGIN")) return given;
    try {
      return readCertificateFile(given);
    } catch (error) {
      problems.push(unreadable(`${flag} ${given}`, error));
      return given;
    }
  };
  const http = {
    ...options.http,
    ca: ca === null ? null : read("--ca", ca),
    client:
      client === null
        ? null
        : {
            ...client,
            cert: read("--cert", client.cert),
            key: client.key === null ? null : read("--key", client.key),
          },
  };
  if (problems.length > 0) throw new InvalidInput(problems);
  return { ...options, http };
}
