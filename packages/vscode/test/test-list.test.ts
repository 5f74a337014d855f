import { expect, test } from "vitest";

import { readTestList } from "../src/test-list.ts";

test.for([
  ["error: unknown command 'list'", "bearhug list printed no JSON."],
  ["[]", "bearhug list printed an unknown document."],
  ["{}", "bearhug list printed an unknown document: see tests."],
  ['{ "tests": [{ "file": 1 }] }', "bearhug list printed an unknown document: see tests.0.file."],
  [
    '{ "tests": [], "problems": [{ "file": "a.ts", "line": 0 }] }',
    "bearhug list printed an unknown document: see problems.0.line.",
  ],
] as const)("the output %s of bearhug list is refused", ([output, message]) => {
  expect(() => readTestList(output, "/shop")).toThrow(message);
});
