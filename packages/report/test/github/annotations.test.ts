import { describe, expect, test } from "vitest";

import { annotateProblems, annotateResult } from "../../src/github/annotations.ts";
import { judged } from "../passed-result.ts";
import { resultOf } from "../result-of.ts";
import * as results from "../results.ts";

const find = (file: string) => (file.startsWith("/") ? null : `repo/${file}`);
const threshold = { ...judged, passed: false, unit: "ms", metric: "http_req_duration" } as const;
const failing = { verdict: "failed", exitCode: 99 } as const;

test("a passed run has no annotations", () => {
  expect(annotateResult(results.passed, find)).toEqual([]);
});

describe("annotations", () => {
  test("of thresholds are on their source lines, ordered by how far they were missed", () => {
    const thresholds = [
      { ...threshold, expression: "p(95)<300ms", actual: 330 },
      { ...threshold, expression: "avg<10ms", actual: 50 },
      { ...threshold, expression: "count>100", actual: 50 },
      { ...threshold, expression: "max<1s", actual: null, samples: 0 },
      { ...threshold, expression: "med<1s", actual: 10, passed: true },
    ];
    expect(annotateResult(resultOf({ ...failing, thresholds }), find)).toMatchObject([
      { level: "error", message: "http_req_duration: max<1s: no samples" },
      { message: "http_req_duration: avg<10ms: was 50.0 ms" },
      { message: "http_req_duration: count>100: was 50" },
      {
        message: "http_req_duration: p(95)<300ms: was 330 ms",
        place: { file: "repo/examples/front-page.ts", line: 31, column: expect.any(Number) as number },
      },
    ]);
  });

  test("of other reasons come first, each on the line of its exception, which is not repeated", () => {
    const source = { file: "load/shop.ts", line: 14, column: 48 };
    const error = { code: "TEST_THREW", cause: null, name: "setup", firstAtMs: 0, frame: null };
    const result = resultOf({
      verdict: "errored",
      exitCode: 107,
      messages: ["setup failed at load/shop.ts:14:48: Error: no users", "a worker was lost"],
      thresholds: [{ ...threshold, expression: "p(95)<300ms", actual: 330 }],
      errors: [
        { ...error, message: "Error: no users", count: 1, source },
        { ...error, name: "buy", message: "TypeError: x", count: 3, source: { ...source, line: 20 } },
        {
          ...error,
          name: "buy",
          message: "RangeError: y",
          count: 9,
          source: { ...source, file: "/else.ts" },
        },
        { ...error, code: "HTTP_500", message: "500", count: 90 },
      ],
    });
    expect(annotateResult(result, find)).toMatchObject([
      { title: "bearhug: errored", place: { file: "repo/load/shop.ts", line: 14, column: 48 } },
      { message: "a worker was lost", place: { file: "repo/examples/front-page.ts" } },
      { title: "bearhug: threshold failed" },
      { title: "bearhug: TEST_THREW in buy", message: "RangeError: y (9 times)", place: null },
      { message: "TypeError: x (3 times)", place: { line: 20 } },
    ]);
  });

  test("of exceptions in a passed run are warnings", () => {
    const source = { file: "load/shop.ts", line: 14, column: 48 };
    const thrown = {
      code: "TEST_THREW",
      cause: null,
      name: "s",
      message: "Error: x",
      firstAtMs: 0,
      frame: null,
    };
    const result = resultOf({ errors: [{ ...thrown, count: 2, source }] });
    expect(annotateResult(result, find)).toMatchObject([{ level: "warning" }]);
  });

  test("are limited to ten, the last of which counts the others", () => {
    const thresholds = Array.from({ length: 25 }, (_, index) => ({
      ...threshold,
      expression: `avg<${index + 1}ms`,
      actual: 100,
    }));
    const annotations = annotateResult(resultOf({ ...failing, thresholds }), find);
    expect(annotations).toHaveLength(10);
    expect(annotations[0]?.message).toMatch(/avg<1ms/);
    expect(annotations.at(-1)).toMatchObject({ message: "and 16 more problems: see the job summary" });
  });
});

test("a problem that begins or ends with a file and line is annotated there", () => {
  const problems = [
    "load/shop.ts:2:42: Unexpected }",
    "users.csv:7: too few columns",
    "load/shop.ts:3:1: error: scenarios must have at least one scenario.",
    'scenarios.a.duration: Duration "x" (in (s)): expected a time (load/shop.ts:4:5).',
    "a feed is empty ((group)/users.csv:2)",
    "/etc/x:1:1: no",
    "no (/etc/x:1:1).",
    "--vus x: no",
  ];
  expect(annotateProblems(problems, find)).toMatchObject([
    { message: "Unexpected }", place: { file: "repo/load/shop.ts", line: 2, column: 42 } },
    { message: "too few columns", place: { file: "repo/users.csv", line: 7 } },
    {
      message: "scenarios must have at least one scenario.",
      place: { file: "repo/load/shop.ts", line: 3, column: 1 },
    },
    {
      message: 'scenarios.a.duration: Duration "x" (in (s)): expected a time.',
      place: { file: "repo/load/shop.ts", line: 4, column: 5 },
    },
    { message: "a feed is empty", place: { file: "repo/(group)/users.csv", line: 2 } },
    { message: "/etc/x:1:1: no", place: null },
    { message: "no (/etc/x:1:1).", place: null },
    { message: "--vus x: no", place: null },
  ]);
});
