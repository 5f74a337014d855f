import { basename } from "node:path";

import { loadModule, definitionSourceOf, type LoadedTest } from "@bearhug/engine/run/load-test";
import type { CaptureModel } from "@bearhug/har-import";
import { bundleText } from "@bearhug/plan/test-file/bundle";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { formatCounted } from "@bearhug/text/number";

import { isCapture } from "../command-line/test-file-problem.ts";

/**
 * Loads a test or a capture. @param pagesPerSecond the rate of a capture's pages; null replays one visit once
 */
export function loadFile(
  file: string,
  options: RunOptions,
  warn: (text: string) => void,
  pagesPerSecond: number | null = null,
): Promise<LoadedTest> {
  return isCapture(file) ? loadCapture(file, options, warn, pagesPerSecond) : loadModule(file);
}

/** Loads a capture as the test that an import would write, except that its variables may be empty. */
async function loadCapture(
  file: string,
  options: RunOptions,
  warn: (text: string) => void,
  pagesPerSecond: number | null,
): Promise<LoadedTest> {
  const [{ importCaptureFile }, { writeTest }] = await Promise.all([
    import("../../capture-file/read-capture-file.ts"),
    import("@bearhug/har-import"),
  ]);
  const imported = await importCaptureFile(file);
  const { source, model } = await writeTest(imported, {
    formatted: false,
    optionalVariables: true,
    ...(pagesPerSecond === null ? {} : { pagesPerSecond }),
  });
  // A capture gets only the variables of the command line.
  for (const line of describeCapture(model, { ...options.envFile, ...options.env })) warn(line);
  const bundle = await bundleText(source, `${file}.ts`);
  return {
    source: definitionSourceOf(bundle),
    file,
    fallbackName: basename(file),
    fingerprint: bundle.fingerprint,
    // The author of the capture chose the variables' names: the user's `GH_TOKEN` must not be sent to the
    // recorded host.
    environment: {},
    // The user has never seen the generated source, so its line numbers would be meaningless.
    locate: () => null,
    locateThreshold: () => null,
    locateOption: () => null,
    remove: () => bundle.remove(),
  };
}

const maxNotes = 5;

/** Describes a capture to users who replay it without having inspected it. */
function describeCapture(
  { omissions, findings, notes, variables }: CaptureModel,
  env: Readonly<Record<string, string>>,
): string[] {
  const unset = variables.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(env, name));
  const see = "bearhug import --explain lists them";
  return [
    ...(findings.length === 0
      ? []
      : [`${formatCounted(findings.length, "part")} of the capture could not be read: ${see}`]),
    ...(omissions.length === 0 ? [] : [`${formatCounted(omissions.length, "request")} skipped: ${see}`]),
    ...notes.slice(0, maxNotes),
    ...unset.map(
      ({ name, description }) =>
        `${name} is not set, so it is empty: ${description} Set it with --env ${name}=….`,
    ),
  ];
}
