import { resolve } from "node:path";

import * as z from "zod/mini";

const count = z.int().check(z.minimum(1));
const place = { file: z.string(), line: count, column: count };
const listSchema = z.object({
  tests: z.array(
    z.object({
      ...place,
      name: z.string(),
      scenarios: z.array(
        z.object({ ...place, file: z.optional(z.string()), name: z.string(), executor: z.string() }),
      ),
    }),
  ),
  problems: z.array(z.object({ ...place, message: z.string() })),
});

/** The tests of some files, and the problems of those that cannot run, from `bearhug list --json`. */
export interface TestList {
  readonly tests: readonly ListedTest[];
  readonly problems: readonly ListedProblem[];
}

/** A place in a file. Lines and columns count from 1; the file's path is absolute. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ListedTest extends Place {
  readonly name: string;
  readonly scenarios: readonly ListedScenario[];
}

export interface ListedScenario extends Place {
  readonly name: string;
  readonly executor: string;
}

export interface ListedProblem extends Place {
  readonly message: string;
}

/**
 * Reads the output of `bearhug list --json`.
 * @param folder the folder in which the command ran
 * @throws {TypeError} if the output is something else, for example from another version
 */
export function readTestList(output: string, folder: string): TestList {
  const { tests, problems } = parse(output);
  const absolute = <One extends { readonly file: string }>(one: One): One => ({
    ...one,
    file: resolve(folder, one.file),
  });
  return {
    tests: tests.map((test) => ({
      ...absolute(test),
      scenarios: test.scenarios.map((scenario) =>
        absolute({ ...scenario, file: scenario.file ?? test.file }),
      ),
    })),
    problems: problems.map((problem) => absolute(problem)),
  };
}

function parse(output: string): z.output<typeof listSchema> {
  let list: unknown;
  try {
    list = JSON.parse(output);
  } catch (cause) {
    throw new TypeError("bearhug list printed no JSON.", { cause });
  }
  const { data, error } = listSchema.safeParse(list);
  if (data !== undefined) return data;
  const [where = ""] = error.issues.map(({ path }) => path.join("."));
  throw new TypeError(`bearhug list printed an unknown document${where === "" ? "" : `: see ${where}`}.`, {
    cause: error,
  });
}
