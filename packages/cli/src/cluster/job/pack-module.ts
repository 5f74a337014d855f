import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { InvalidTest } from "@bearhug/plan/definition/invalid-test";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import { ownSdkUrl } from "@bearhug/plan/test-file/bundle";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import { nameOf, nodesIn, parseBundle, positionOf, type Program } from "@bearhug/plan/test-file/test-syntax";
import { InvalidInput } from "@bearhug/sdk";

import { bundleFolder, jobFolderAround, type JobFolder } from "./job-folder.ts";
import type { JobPlace } from "./job-description.ts";
import { findNamedFiles, isFile } from "./named-files.ts";
import type { JobRequest, PackedSource } from "./job-request.ts";
import { findPlacedLoads } from "./placed-loads.ts";
import { makePortable, placesOfModule, type KnownPlaces } from "./portable-bundle.ts";
import { embeddedSources, makeMapPortable, ownSources } from "./portable-map.ts";

/** Packs a bundle with its source map, and the files named in its code. */
export function packModule(
  { loaded, options, files, workingFolder: working }: JobRequest,
  { bundlePath, folder: testFolder, mayFetch, mayHaveStages }: DefinitionSource & { kind: "module" },
): PackedSource {
  const code = readFileSync(bundlePath, "utf8");
  const program = parseBundle(code);
  if (program === null)
    throw new InvalidInput([
      "The test has syntax that bearhug cannot parse, so it cannot be sent to other machines.",
    ]);
  const lines = new SourceLines(bundlePath);
  const environment = namedVariables(program, lines, loaded.environment);
  const filledIn = Object.entries(options.envFile).filter(([, value]) => value !== "");
  const variables = { ...environment, ...Object.fromEntries(filledIn), ...options.env };
  const sources = ownSources(bundlePath);
  const named = findNamedFiles(program, lines, { test: testFolder, working }, Object.values(variables));
  const placed = findPlacedLoads(program, bundlePath, { hasSent: files.length > 0 });
  if (placed.problems.length > 0) throw new InvalidTest(placed.problems);
  const found = [...named, ...placed.files].filter((path) => !sources.includes(path));
  const all = [...found, ...givenFiles(files, working)];
  const folder = jobFolderAround([testFolder, working, ...sources, ...all]);
  const portable = makePortable(code, program, knownPlaces(bundlePath, folder));
  const bundle = `${bundleFolder}/${basename(bundlePath)}`;
  return {
    source: {
      kind: "module",
      bundle,
      folder: folder.pathOf(testFolder),
      mayFetch,
      mayHaveStages,
      places: portable.places,
      isLocated: loaded.locateOption("") !== null,
    },
    environment,
    folder,
    made: new Map([
      [bundle, Buffer.from(portable.code)],
      [`${bundle}.map`, Buffer.from(makeMapPortable(bundlePath, folder))],
    ]),
    taken: new Map(all.map((path) => [folder.pathOf(path), path])),
  };
}

function knownPlaces(bundlePath: string, folder: JobFolder): KnownPlaces {
  const url = ownSdkUrl();
  const places: Map<string, Omit<JobPlace, "variable">> = new Map();
  for (const source of embeddedSources(bundlePath)) {
    if (!folder.has(source.path)) continue;
    for (const [text, { kind, path }] of placesOfModule(source))
      places.set(text, { kind, path: folder.pathOf(path) });
  }
  return { sdk: { url, path: fileURLToPath(url) }, places };
}

/**
 * Returns the environment variables whose names are keys in the test's own code: a test only receives
 * variables that it declares.
 */
function namedVariables(
  program: Program,
  lines: SourceLines,
  environment: LoadedTest["environment"],
): Record<string, string> {
  const named: Record<string, string> = {};
  for (const node of nodesIn(program)) {
    if (node.type !== "Property") continue;
    const name = nameOf(node);
    const value = name === null || !Object.hasOwn(environment, name) ? undefined : environment[name];
    const position = positionOf(node);
    if (name !== null && value !== undefined && position !== null && lines.isOwn(position))
      named[name] = value;
  }
  return named;
}

function givenFiles(files: readonly string[], folder: string): string[] {
  const missing = files.filter((file) => !isFile(resolve(folder, file)));
  if (missing.length > 0)
    throw new InvalidInput(missing.map((file) => `--send ${file}: there is no such file.`));
  return files.map((file) => resolve(folder, file));
}
