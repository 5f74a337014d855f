import { readFileSync } from "node:fs";
import { basename } from "node:path";

import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { DefinitionSource, UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { bundleTest, bundleText, type Bundle } from "@bearhug/plan/test-file/bundle";
import type { PlanInputs } from "@bearhug/plan/test-file/make-plan";
import { createOptionFinder } from "@bearhug/plan/test-file/option-position";
import { SourceLines, type LocatedSource } from "@bearhug/plan/test-file/source-lines";
import { readStandardInput, standardInput, standardInputName } from "@bearhug/plan/test-file/standard-input";
import { parsesOf } from "@bearhug/plan/test-file/test-syntax";
import { createThresholdFinder } from "@bearhug/plan/test-file/threshold-position";
import type { Test } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";

/** A test that is ready to be sent to the workers. */
export interface LoadedTest {
  readonly source: DefinitionSource;
  /** The test's file as the user named it; null if there is none. */
  readonly file: string | null;
  /** The name of the test if it sets none. */
  readonly fallbackName: string;
  /** A hash of its code; null if there is no file. */
  readonly fingerprint: string | null;
  /** Environment variables, besides those of the options. */
  readonly environment: PlanInputs["environment"];
  readonly locate: (position: BundlePosition) => LocatedSource | null;
  readonly locateThreshold: (key: string, expression: string) => SourcePosition | null;
  /** Finds an option by its path, such as `scenarios.readers.rate`. */
  readonly locateOption: (path: string) => SourcePosition | null;
  /** Removes files that were written for the run. */
  readonly remove: () => void;
}

/**
 * Bundles a test file for the workers; `-` reads a test from standard input, as if it were in the working
 * folder.
 * @throws {InvalidInput} with everything that cannot be read
 */
export async function loadModule(file: string): Promise<LoadedTest> {
  const isPiped = file === standardInput;
  const bundle = isPiped
    ? await bundleText(readStandardInput().toString("utf8"), standardInputName)
    : await bundleTest(file);
  return {
    source: definitionSourceOf(bundle),
    file,
    fallbackName: isPiped ? standardInputName : basename(file),
    fingerprint: bundle.fingerprint,
    environment: process.env,
    ...locatorsOf(bundle.path),
    remove: () => bundle.remove(),
  };
}

/** Returns functions that map places in a bundle to the author's sources. */
export function locatorsOf(
  bundlePath: string,
): Pick<LoadedTest, "locate" | "locateThreshold" | "locateOption"> {
  const lines = new SourceLines(bundlePath);
  const parses = parsesOf(() => readFileSync(bundlePath, "utf8"));
  return {
    locate: (position) => lines.locate(position),
    locateThreshold: createThresholdFinder(parses, lines),
    locateOption: createOptionFinder(parses, lines),
  };
}

/** Returns the description of a bundle that workers receive. */
export function definitionSourceOf({ path, folder, mayFetch, mayHaveStages }: Bundle): DefinitionSource {
  return { kind: "module", bundlePath: path, folder, mayFetch, mayHaveStages };
}

/** Returns a test that repeats one request, or chooses one of several each time. */
export function loadUrl(...requests: readonly UrlRequest[]): LoadedTest {
  return withoutSource({ kind: "url", requests }, requests[0]?.url ?? "");
}

/** Wraps a test object of this process, whose functions cannot be sent to another thread. */
export function loadObject(test: Test): LoadedTest {
  return withoutSource({ kind: "object", test, folder: process.cwd() }, "test");
}

function withoutSource(source: DefinitionSource, fallbackName: string): LoadedTest {
  return {
    source,
    file: null,
    fallbackName,
    fingerprint: null,
    environment: process.env,
    locate: () => null,
    locateThreshold: () => null,
    locateOption: () => null,
    remove: () => undefined,
  };
}
