import { builtInClients } from "@bearhug/engine/built-in-clients";
import { DefinitionSession } from "@bearhug/engine/run/definition-session";
import { loadModule, type LoadedTest } from "@bearhug/engine/run/load-test";
import { ThreadPool } from "@bearhug/engine/run/thread-pool";
import { InvalidTest, type TestProblem } from "@bearhug/plan/definition/invalid-test";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { createSourceNames } from "@bearhug/plan/test-file/bundle-positions";
import { givenVariables } from "@bearhug/plan/test-file/make-plan";
import { secretsByName } from "@bearhug/plan/test-file/read-env";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { startOfFile } from "@bearhug/plan/test-file/source-lines";
import { InvalidInput } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";
import { logLines } from "@bearhug/text/log-lines";
import { createMask, type Mask } from "@bearhug/text/secret-mask";

import type { PlacedProblem } from "../documents/documents.ts";

/** A loaded and valid test, with the places of its parts. */
export interface TestInFile {
  readonly test: ValidatedTest;
  /** The position of the call of `defineTest`. */
  readonly position: SourcePosition;
  readonly loaded: LoadedTest;
  readonly place: (problem: TestProblem) => PlacedProblem;
  readonly mask: Mask;
}

export interface Describing {
  readonly options: RunOptions;
  /** The longest time that a module may take to load. */
  readonly timeoutMs: number;
  readonly warn: (text: string) => void;
  /** True to show a plan even if variables are not set. @default false */
  readonly toleratesMissing?: boolean;
}

/** Loads and validates a test in its own thread. Setup does not run, and nothing is sent. */
export async function describeFile(
  file: string,
  describing: Describing,
): Promise<TestInFile | { readonly problems: readonly PlacedProblem[] }> {
  const top = startOfFile(file);
  const { envFile, env } = describing.options;
  const mask = createMask([...secretsByName(process.env), ...secretsByName({ ...envFile, ...env })]);
  let loaded: LoadedTest | null = null;
  const place = ({ code = "INVALID_TEST", path, message, position }: TestProblem): PlacedProblem => ({
    ...(position ?? loaded?.locateOption(path) ?? top),
    code,
    message: mask.hide(message),
  });
  try {
    loaded = await loadModule(file);
    const described = await describe(loaded, mask, describing);
    const position = loaded.locateOption("") ?? top;
    return "problem" in described
      ? { problems: [place(described.problem)] }
      : { test: described.test, position, loaded, place, mask };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const found = error instanceof InvalidTest ? error.found : error.problems.map(problemOfTest);
    return { problems: found.map(place) };
  } finally {
    loaded?.remove();
  }
}

function problemOfTest(message: string): TestProblem {
  return { path: "", message };
}

/** @throws {InvalidTest} with all problems of an invalid test */
async function describe(
  { source, environment, locate }: LoadedTest,
  mask: Mask,
  { options, timeoutMs, warn }: Describing,
): Promise<{ readonly test: ValidatedTest } | { readonly problem: TestProblem }> {
  const withSources = createSourceNames(source, locate);
  const log = ({ text, ...line }: Parameters<typeof logLines>[0]): void => {
    for (const shown of logLines({ ...line, text: mask.hide(withSources(text)) })) warn(shown);
  };
  const session = new DefinitionSession(
    {
      source,
      mask,
      clock: systemClock,
      clients: builtInClients,
      launch: new ThreadPool([]).launch,
      variables: givenVariables(options, { environment: { ...environment } }),
    },
    log,
    (text) => log({ level: "info", text, from: "console" }),
    () => undefined,
  );
  try {
    const described = await session.describe(timeoutMs, new Promise(() => undefined));
    if ("test" in described) return { test: described.test };
    const { message, position } = described.failure.thrown;
    const found = position === null ? undefined : locate(position)?.source;
    return { problem: { path: "", message: `The test cannot be loaded: ${message}`, position: found } };
  } finally {
    await session.close();
  }
}
