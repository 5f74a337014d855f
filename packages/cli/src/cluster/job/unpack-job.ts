import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { loadUrl, locatorsOf, type LoadedTest } from "@bearhug/engine/run/load-test";
import { ownSdkUrl } from "@bearhug/plan/test-file/bundle";
import { makeRunFolder } from "@bearhug/plan/test-file/run-folders";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { InvalidInput } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";

import {
  hashOf,
  readDescription,
  type JobDescription,
  type JobFile,
  type JobPlace,
} from "./job-description.ts";
import { shownAsPacked } from "./job-folder.ts";
import { isInside } from "./named-files.ts";
import { localizeBundle } from "./portable-bundle.ts";
import { embeddedSources } from "./portable-map.ts";

/** A test that another machine packed, ready to run on this one. */
export interface UnpackedJob {
  /** The test; `remove` also removes the job's folder. */
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  /**
   * The folder to work in while the test runs: paths of certificates and of files to send are relative to it.
   */
  readonly workingFolder: string;
}

/** Returns the content of a job's file, from any source. */
type TakeFile = (file: JobFile) => Promise<Uint8Array>;

/**
 * Unpacks a job into a private folder, which is removed with the test.
 * @throws {InvalidInput} if a file differs from the packed one, or the job comes from another version
 */
export async function unpackJob(description: string, take: TakeFile): Promise<UnpackedJob> {
  const job = readDescription(description);
  const folder = await makeRunFolder(null);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const inFolder = (path: string): string => join(folder, ...path.split("/"));
    for (const file of job.files) writeInto(inFolder(file.path), await takeVerified(file, take));
    const workingFolder = inFolder(job.workingFolder);
    mkdirSync(workingFolder, { recursive: true });
    return {
      loaded: { ...load(job, folder, inFolder), remove },
      options: job.options,
      workingFolder,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function takeVerified(file: JobFile, take: TakeFile): Promise<Uint8Array> {
  const content = await take(file);
  if (content.length === file.bytes && hashOf(content) === file.sha256) return content;
  throw new InvalidInput([
    `${file.path.replace(/^files\//, "")}: did not arrive as it was when the test was packed. It may have changed since: start the run again.`,
  ]);
}

function writeInto(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function load(
  job: JobDescription,
  folder: string,
  inFolder: (path: string) => string,
): Omit<LoadedTest, "remove"> {
  const { source, file, fallbackName, fingerprint, environment } = job;
  if (source.kind === "url") return { ...loadUrl(...source.requests), file, fallbackName, environment };
  const bundlePath = inFolder(source.bundle);
  localize(bundlePath, source.places, inFolder);
  for (const { path, text } of embeddedSources(bundlePath)) if (isInside(folder, path)) writeInto(path, text);
  const { mayFetch, mayHaveStages, isLocated } = source;
  return {
    source: { kind: "module", bundlePath, folder: inFolder(source.folder), mayFetch, mayHaveStages },
    file,
    fallbackName,
    fingerprint,
    environment,
    ...(isLocated ? shownLocators(bundlePath, job, folder) : noLocators),
  };
}

function localize(bundlePath: string, places: readonly JobPlace[], inFolder: (path: string) => string): void {
  const url = ownSdkUrl();
  const code = localizeBundle(
    { code: readFileSync(bundlePath, "utf8"), places },
    { url, path: fileURLToPath(url) },
    ({ kind, path }) => (kind === "url" ? pathToFileURL(inFolder(path)).href : inFolder(path)),
  );
  writeFileSync(bundlePath, code);
}

const noLocators = { locate: () => null, locateThreshold: () => null, locateOption: () => null };

/** Returns locators whose files are named as on the machine that packed the test. */
function shownLocators(
  bundlePath: string,
  job: JobDescription,
  folder: string,
): Pick<LoadedTest, "locate" | "locateThreshold" | "locateOption"> {
  const { locate, locateThreshold, locateOption } = locatorsOf(bundlePath);
  const shown = (source: SourcePosition): SourcePosition => {
    const path = resolve(source.file);
    if (!isInside(folder, path)) return source;
    return { ...source, file: shownAsPacked(relative(folder, path).split(sep).join("/"), job) };
  };
  const shownOrNull = (source: SourcePosition | null): SourcePosition | null => source && shown(source);
  return {
    locate: (position) => {
      const located = locate(position);
      return located && { ...located, source: shown(located.source) };
    },
    locateThreshold: (key, expression) => shownOrNull(locateThreshold(key, expression)),
    locateOption: (path) => shownOrNull(locateOption(path)),
  };
}
