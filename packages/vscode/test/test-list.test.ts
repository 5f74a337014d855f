import { expect, test } from "vitest";

import { readTestList } from "../src/test-list.ts";

test.for([
  ["error: unknown command 'list'", "bearhug list printed no JSON."],
  ["[]", "bearhug list printed an unknown document: the list must be an object."],
  ["{}", "bearhug list printed an unknown document: tests must be a list."],
  ['{ "tests": [{ "file": 1 }] }', "bearhug list printed an unknown document: file must be a text."],
  [
    '{ "tests": [], "problems": [{ "file": "a.ts", "line": 0 }] }',
    "bearhug list printed an unknown document: line must be a number from 1.",
  ],
] as const)("refuses %s", ([output, message]) => {
  expect(() => readTestList(output, "/shop")).toThrow(message);
});
