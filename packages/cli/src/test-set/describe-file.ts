import { resolve } from "node:path";

import type { SourcePosition, ValidatedTest } from "@bearhug/sdk/internal";

import { builtInClients } from "../clients/built-in-clients.ts";
import { DefinitionSession } from "../run/definition-session.ts";
import { ThreadPool } from "../run/thread-pool.ts";
import { logLines } from "../format/log-lines.ts";
import { InvalidInput, InvalidTest, type TestProblem } from "../invalid-input.ts";
import { systemClock } from "../pacing/clock.ts";
import { loadModule, type LoadedTest } from "../run/load-test.ts";
import { createMask, type Mask } from "../secret-mask.ts";
import { createSourceNames } from "../test-file/bundle-positions.ts";
import { givenVariables } from "../test-file/make-plan.ts";
import { secretsByName } from "../test-file/read-env.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import { shownPath } from "../test-file/source-lines.ts";

/** A problem of a test, with its place in the sources. */
export interface PlacedProblem extends SourcePosition {
  /** One sentence, without the place. */
  readonly message: string;
}

/** A test that was loaded and found valid, with the places of its parts. */
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
  /** A module that loads for longer is given up. */
  readonly timeoutMs: number;
  readonly warn: (text: string) => void;
  /** Variables that are not set do not keep a plan from being shown. @default false */
  readonly toleratesMissing?: boolean;
}

/** Loads a test in a thread of its own, and has it validated: its setup does not run, and nothing is sent. */
export async function describeFile(
  file: string,
  describing: Describing,
): Promise<TestInFile | { readonly problems: readonly PlacedProblem[] }> {
  const top = { file: shownPath(resolve(file)), line: 1, column: 1 };
  const { envFile, env } = describing.options;
  const mask = createMask([...secretsByName(process.env), ...secretsByName({ ...envFile, ...env })]);
  let loaded: LoadedTest | null = null;
  const place = ({ path, message, position }: TestProblem): PlacedProblem => ({
    ...(position ?? loaded?.locateOption(path) ?? top),
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
    const found = error instanceof InvalidTest ? error.found : error.problems.map(ofWholeTest);
    return { problems: found.map(place) };
  } finally {
    loaded?.remove();
  }
}

function ofWholeTest(message: string): TestProblem {
  return { path: "", message };
}

/** @throws {InvalidTest} with every problem of a test that is not valid */
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
    (text) => {
      log({ level: "info", text, from: "console" });
    },
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
