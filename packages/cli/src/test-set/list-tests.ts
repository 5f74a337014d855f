import type { ValidatedTest } from "@bearhug/sdk/internal";
import type { SourcePosition } from "@bearhug/sdk/result";

import { describeFile, type Describing, type PlacedProblem, type TestInFile } from "./describe-file.ts";
import { mapSome } from "./map-some.ts";

/** The document of `bearhug list --json`. Lines and columns count from 1. */
export interface TestList {
  readonly tests: readonly ListedTest[];
  readonly problems: readonly PlacedProblem[];
}

export interface ListedTest extends SourcePosition {
  readonly name: string;
  readonly scenarios: readonly ListedScenario[];
  readonly thresholds: readonly ListedThreshold[];
  readonly tags: Readonly<Record<string, string>>;
}

export interface ListedScenario extends Place {
  readonly name: string;
  readonly executor: ValidatedTest["scenarios"][number]["executor"];
}

export interface ListedThreshold extends Place {
  /** With its tag filter. */
  readonly metric: string;
  readonly expression: string;
}

/** Usually in the test's file; in another one, `file` names it. */
interface Place {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** Loads tests, a few at once, and lists them in the order of their files. */
export async function listTests(files: readonly string[], describing: Describing): Promise<TestList> {
  const described = await mapSome(files, (file) => describeFile(file, describing));
  return {
    tests: described.flatMap((one) => ("problems" in one ? [] : [listed(one)])),
    problems: described.flatMap((one) => ("problems" in one ? one.problems : [])),
  };
}

function listed({ test, position, loaded, mask }: TestInFile): ListedTest {
  const { file } = position;
  const at = (found: SourcePosition | null): Place => {
    const { line, column } = found ?? position;
    return found === null || found.file === file ? { line, column } : { file: found.file, line, column };
  };
  return {
    file,
    name: mask.hide(test.name ?? loaded.fallbackName),
    line: position.line,
    column: position.column,
    scenarios: test.scenarios.map(({ name, executor }) => ({
      name,
      executor,
      ...at(loaded.locateOption(`scenarios[${JSON.stringify(name)}]`)),
    })),
    thresholds: test.thresholds.map(({ metric, expression }) => ({
      metric,
      expression,
      ...at(
        loaded.locateThreshold(metric, expression) ??
          loaded.locateOption(`thresholds[${JSON.stringify(metric)}]`),
      ),
    })),
    tags: Object.fromEntries(Object.entries(test.tags).map(([tag, value]) => [tag, mask.hide(value)])),
  };
}
