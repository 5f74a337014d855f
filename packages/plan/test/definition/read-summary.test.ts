import { defineTest, type Summary, type TestResult } from "@bearhug/sdk";
import { describe, expect, expectTypeOf, test } from "vitest";

import { readSummary } from "../../src/definition/read-summary.ts";

const scenarios = { once: { executor: "shared-iterations", exec: () => undefined } } as const;

describe("the summary of a test", () => {
  test("is typed: it takes the result, and returns a string or its parts", () => {
    const defined = defineTest({
      summary: (result) => {
        expectTypeOf(result).toEqualTypeOf<TestResult>();
        return { stdout: result.verdict, files: { "verdict.txt": result.verdict } };
      },
      summaryTimeout: "5s",
      scenarios,
    });
    expectTypeOf(defined.summary!).returns.toEqualTypeOf<Summary | Promise<Summary>>();
    // @ts-expect-error a number is not a summary
    defineTest({ summary: () => 7, scenarios });
    // @ts-expect-error a file's content is a string
    defineTest({ summary: () => ({ files: { "a.json": { a: 1 } } }), scenarios });
    defineTest({ summary: async () => Promise.resolve("all good"), scenarios });
  });

  test.each([
    ["all good", { stdout: "all good", files: {} }],
    ["", { stdout: "", files: {} }],
    [{}, { stdout: null, files: {} }],
    [{ files: { "a.txt": "A" } }, { stdout: null, files: { "a.txt": "A" } }],
  ])("%j is a summary", (returned, read) => {
    expect(readSummary(returned)).toEqual(read);
  });

  test.each([
    [undefined, "summary must return a string or { stdout, files }, but returned nothing"],
    [7, "summary must return a string or { stdout, files }, but returned 7"],
    [["a"], "summary must return a string or { stdout, files }, but returned an array"],
    [{ stderr: "" }, "summary returned stderr, but takes stdout and files"],
    [{ stdout: 1 }, "stdout must be a string, but is 1"],
    [{ files: "a.txt" }, 'files must be an object that maps paths to strings, but is "a.txt"'],
    [{ files: { "a.json": {} } }, 'files["a.json"] must be a string, but is an object'],
  ])("%j is not a summary", (returned, message) => {
    expect(() => readSummary(returned)).toThrow(new TypeError(message));
  });
});
