import { expect, test } from "vitest";

import { readSampleRule } from "../../src/ndjson/sample-rule.ts";

test.each([
  [undefined, null],
  ["all", { kind: "all" }],
  ["errors", { kind: "errors" }],
  ["1%", { kind: "share", share: 0.01 }],
  ["0.5%", { kind: "share", share: 0.005 }],
  ["100%", { kind: "share", share: 1 }],
])("--samples %s is read as %j", (text, rule) => {
  const problems: string[] = [];
  expect(readSampleRule(text, "run.ndjson", problems)).toEqual(rule);
  expect(problems).toEqual([]);
});

test.each(["", "some", "1", "0%", "101%", "-1%", "1 %", "%"])("--samples %j is rejected", (text) => {
  const problems: string[] = [];
  expect(readSampleRule(text, "run.ndjson", problems)).toBeNull();
  expect(problems).toEqual([`--samples ${text}: write all, errors, or a share of the requests such as 1%.`]);
});

test("samples need a file", () => {
  const problems: string[] = [];
  readSampleRule("all", null, problems);
  expect(problems).toEqual(["--samples all: samples need a file. Add --out ndjson=FILE."]);
});
