import type { SourcePosition } from "@bearhug/sdk/result";

import type { ListDocument, ListedTest, PlaceInTest } from "../documents/documents.ts";
import { describeFile, type Describing, type TestInFile } from "./describe-file.ts";
import { mapSome } from "./map-some.ts";

/** Loads tests, several at a time, and lists them in the order of their files. */
export async function listTests(
  files: readonly string[],
  describing: Describing,
): Promise<Pick<ListDocument, "tests" | "problems">> {
  const described = await mapSome(files, (file) => describeFile(file, describing));
  return {
    tests: described.flatMap((one) => ("problems" in one ? [] : [listed(one)])),
    problems: described.flatMap((one) => ("problems" in one ? one.problems : [])),
  };
}

function listed({ test, position, loaded, mask }: TestInFile): ListedTest {
  const { file } = position;
  const at = (found: SourcePosition | null): PlaceInTest => {
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
