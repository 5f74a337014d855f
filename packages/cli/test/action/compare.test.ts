import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { readCommand, readOutputs } from "../../../report/test/github/runner.ts";
import { checkOut } from "./run-action.ts";

/** Runs the step in a repository whose bearhug prints its arguments and writes an empty comparison. */
function compareWith(baseline: string) {
  const workspace = checkOut({ "load/base.result": "{}" });
  writeFileSync(
    join(workspace, "node_modules/.bin/bearhug"),
    '#!/bin/sh\nprintf "%s\\n" "$@"\n: >report/comparison.md\n',
  );
  const folder = temporaryFolder();
  for (const inner of ["report", "baseline"]) mkdirSync(join(folder, inner));
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  for (const path of Object.values(files)) writeFileSync(path, "");
  const { status, stdout } = spawnSync(process.execPath, [join(root, "action/compare.ts")], {
    cwd: workspace,
    encoding: "utf8",
    env: {
      ...files,
      PATH: process.env["PATH"],
      FOLDER: folder,
      INPUT_BASELINE: baseline,
      INPUT_VERSION: "",
      INPUT_TOLERANCE: "5%",
      INPUT_ALLOW: "",
      INPUT_FAIL_ON: "regressed",
      BASELINE_LOST: "false",
      RUN_VERDICT: "passed",
    },
  });
  return { status, stdout, outputs: readOutputs(readFileSync(files.GITHUB_OUTPUT, "utf8")) };
}

describe.skipIf(process.platform === "win32")("a baseline in the repository", () => {
  test("is compared, whatever its name", () => {
    const { status, stdout } = compareWith("load/base.result");
    expect([status, stdout.trim().split("\n").slice(-3)]).toEqual([
      0,
      ["--", "baseline/base.result", "report/result.json"],
    ]);
    expect(stdout).toContain("--tolerance\n5%\n");
  });

  test.each(["load/none.json", "load", "x%0A\n::warning::y"])(
    "%j fails the job, because it is no file",
    (baseline) => {
      const { status, stdout, outputs } = compareWith(baseline);
      expect([status, outputs]).toEqual([104, { verdict: "errored", "exit-code": "104" }]);
      expect(stdout.trimEnd().split("\n").map(readCommand)).toEqual([
        {
          command: "error",
          properties: { title: "bearhug" },
          data: `The baseline ${baseline} is no file: give \`artifact\`, \`cache\`, or the path of a JSON result.`,
        },
      ]);
    },
  );
});
