import { describe, expect, test } from "vitest";
import { InvalidInput } from "../../src/invalid-input.ts";
import { createReporters } from "../../src/reporters/index.ts";

function problemsOf(...outs: string[]): readonly string[] {
  try {
    createReporters(outs);
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  return [];
}

describe("--out", () => {
  test("json takes a path, also one with an equals sign in it, or a default", () => {
    expect(createReporters(["json", "json=a=b.json"]).map(({ name }) => name)).toEqual(["json", "json"]);
  });

  test.each([
    ["jsn=x", '--out jsn=x: no report is called "jsn". Did you mean json?'],
    ["JUnit", '--out JUnit: no report is called "JUnit". Did you mean junit?'],
    ["=x", '--out =x: no report is called "". There is json, junit, markdown.'],
    ["toString", '--out toString: no report is called "toString". There is json, junit, markdown.'],
    ["html=r.html", "--out html=r.html: html reports are not built yet. There is json, junit, markdown."],
    ["json=", "--out json=: the path after = is empty. Write --out json=PATH."],
  ])("%s is refused", (out, problem) => {
    expect(problemsOf(out)).toEqual([problem]);
  });

  test("all problems are told at once", () => {
    expect(problemsOf("xml", "json=a", "html", "json=./a")).toHaveLength(3);
  });

  test("two reports do not go to one file", () => {
    expect(problemsOf("json=./a.json", "json=a.json")).toEqual([
      expect.stringMatching(/^--out: two reports would be written to .*a\.json\.$/),
    ]);
  });
});
