import { resolve } from "node:path";

/** The tests of some files, and the problems of those that cannot run, as `bearhug list --json` tells them. */
export interface TestList {
  readonly tests: readonly ListedTest[];
  readonly problems: readonly ListedProblem[];
}

/** Lines and columns count from 1. Files are absolute. */
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
 * @throws {TypeError} if it is something else, for example of another version
 */
export function readTestList(output: string, folder: string): TestList {
  const list = readObject(parse(output), "the list");
  return {
    tests: readArray(list["tests"], "tests").map((test) => readTest(test, folder)),
    problems: readArray(list["problems"], "problems").map((problem) => ({
      ...readPlace(problem, folder),
      message: readText(problem["message"], "message"),
    })),
  };
}

function readTest(test: Fields, folder: string): ListedTest {
  const place = readPlace(test, folder);
  const scenarios = readArray(test["scenarios"], "scenarios").map((scenario) => ({
    ...readPlace({ file: place.file, ...scenario }, folder),
    name: readText(scenario["name"], "name"),
    executor: readText(scenario["executor"], "executor"),
  }));
  return { ...place, name: readText(test["name"], "name"), scenarios };
}

function readPlace(fields: Fields, folder: string): Place {
  return {
    file: resolve(folder, readText(fields["file"], "file")),
    line: readCount(fields["line"], "line"),
    column: readCount(fields["column"], "column"),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch (cause) {
    throw new TypeError("bearhug list printed no JSON.", { cause });
  }
}

function readObject(value: unknown, name: string): Fields {
  if (!isFields(value)) throw unexpected(name, "an object");
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readArray(value: unknown, name: string): Fields[] {
  if (!Array.isArray(value)) throw unexpected(name, "a list");
  return value.map((one) => readObject(one, `each of ${name}`));
}

function readText(value: unknown, name: string): string {
  if (typeof value !== "string") throw unexpected(name, "a text");
  return value;
}

function readCount(value: unknown, name: string): number {
  if (typeof value !== "number" || value < 1) throw unexpected(name, "a number from 1");
  return value;
}

function unexpected(name: string, expected: string): TypeError {
  return new TypeError(`bearhug list printed an unknown document: ${name} must be ${expected}.`);
}
