import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import {
  createReporters,
  findLiveOutProblems,
  findOutProblems,
  ndjsonPath,
  reportsOfResults,
} from "../src/index.ts";

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
  test("json takes a path, which may contain an equals sign, or a default", () => {
    expect(createReporters(["json", "json=a=b.json"]).map(({ name }) => name)).toEqual(["json", "json"]);
  });

  test.each([
    ["jsn=x", '--out jsn=x: no report is called "jsn". Did you mean json?'],
    ["JUnit", '--out JUnit: no report is called "JUnit". Did you mean junit?'],
    [
      "=x",
      '--out =x: no report is called "". Use html, json, junit, csv, ndjson, markdown, hgrm, hlog, recording, otlp, or prometheus.',
    ],
    [
      "toString",
      '--out toString: no report is called "toString". Use html, json, junit, csv, ndjson, markdown, hgrm, hlog, recording, otlp, or prometheus.',
    ],
    ["ndjson=", "--out ndjson=: the path after = is empty. Write --out ndjson=PATH."],
    ["json=", "--out json=: the path after = is empty. Write --out json=PATH."],
  ])("%s is rejected", (out, problem) => {
    expect(problemsOf(out)).toEqual([problem]);
  });

  test("all problems are reported at once", () => {
    expect(problemsOf("xml", "json=a", "ndjson", "ndjson=b", "json=./a")).toHaveLength(3);
  });

  test("two reports cannot be written to one file", () => {
    expect(problemsOf("json=./a.json", "json=a.json")).toEqual([
      expect.stringMatching(/^--out: two reports would be written to .*a\.json\.$/),
    ]);
  });

  test("an existing folder, a path that ends with a slash, and a file used as a folder are rejected", () => {
    const folder = mkdtempSync(join(tmpdir(), "bearhug-outputs-"));
    const file = join(folder, "notes.txt");
    writeFileSync(file, "");
    expect(problemsOf(`json=${folder}`, "junit=out/", `markdown=${file}/deep/r.md`)).toEqual([
      `--out json=${folder}: ${folder} is a folder. Name a file in it, such as ${join(folder, "report")}.`,
      `--out junit=out/: out/ is a folder. Name a file in it, such as ${join("out", "report")}.`,
      `--out markdown=${file}/deep/r.md: ${file} is not a folder. Choose another path.`,
    ]);
  });

  test("a file that the command reads is not replaced, whatever the path to it", () => {
    const folder = mkdtempSync(join(tmpdir(), "bearhug-outputs-"));
    const test = join(folder, "shop.ts");
    const link = join(folder, "link.json");
    writeFileSync(test, "the test");
    symlinkSync(test, link);
    mkdirSync(join(folder, "sub"));
    const problem = `the report would replace ${test}, which this command reads. Choose another path.`;
    expect(findOutProblems([`json=${link}`, `junit=${folder}/sub/../shop.ts`], [test])).toEqual([
      expect.stringContaining("--out: two reports would be written to "),
      `--out json=${link}: ${problem}`,
      `--out junit=${folder}/sub/../shop.ts: ${problem}`,
    ]);
    expect(findOutProblems(["json=/dev/null", `json=${folder}/result.json`], [test])).toEqual([]);
  });

  test("a path that the system cannot check is accepted, and fails when it is written", () => {
    expect(problemsOf(`json=${"x".repeat(5000)}`)).toEqual([]);
  });
});

describe("the kinds of reports", () => {
  const ofResults = reportsOfResults.split(/, | or /);

  test("are listed in docs/reports.md with their default paths", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/reports.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([a-z]+)` +\| `([a-z.]+)` +\|/gm)].map(([, name, path]) => ({
      name,
      path,
    }));
    const reporters = createReporters([...ofResults, "recording"]).map(({ name, path }) => ({ name, path }));
    expect(rows).toEqual(
      expect.arrayContaining([...reporters, { name: "ndjson", path: ndjsonPath(["ndjson"]) }]),
    );
    expect(rows).toHaveLength(reporters.length + 1);
  });

  test("need no run if they are made from results, and others do", () => {
    expect(findLiveOutProblems(ofResults)).toEqual([]);
    const ofSingleRuns = ["ndjson", "recording=a", "otlp", "prometheus=:9464"];
    const problems = ofSingleRuns.map(
      (text) => `--out ${text}: only bearhug run, <url>, and ab-test support it.`,
    );
    expect(findLiveOutProblems([...ofSingleRuns, "own.ts"])).toEqual([
      ...problems,
      "--out own.ts: only bearhug run, <url>, ab-test, and capacity support it.",
    ]);
    expect(findLiveOutProblems([...ofSingleRuns, "own.ts"], "capacity")).toEqual(problems);
  });
});

test("- means standard output, which one report can use but a stream cannot", () => {
  expect(findOutProblems(["json=-"])).toEqual([]);
  expect(findOutProblems(["json=-", "csv=-"])).toEqual([
    "--out: two reports would be written to standard output.",
  ]);
  expect(findOutProblems(["ndjson=-"])).toEqual([
    "--out ndjson=-: the stream is written to a file. Name one, such as /dev/stdout.",
  ]);
});
