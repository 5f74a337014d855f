import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readCommand, readOutputs, type WorkflowCommand } from "../../../report/test/github/runner.ts";
import { nodesOf, parseMarkdown, textOf } from "../../../report/test/markdown/parse-markdown.ts";
import { startEchoServer } from "./echo-server.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { runBearhug, temporaryFolder } from "./run-bearhug.ts";

interface Job extends Ended {
  readonly annotations: readonly WorkflowCommand[];
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Creates the workspace of a job: a repository with a test in `load/`. */
function checkout(source: string): string {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, "load"));
  writeFileSync(join(workspace, "load/shop.ts"), source);
  return workspace;
}

async function runJob(
  workspace: string,
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Job> {
  const files = temporaryFolder();
  const given = {
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: join(files, "summary.md"),
    GITHUB_OUTPUT: join(files, "output"),
    ...environment,
  };
  const ended = await runBearhug(arguments_, join(workspace, "load"), given);
  const read = (path: string) =>
    existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  const lines = `${ended.stdout}\n${ended.stderr}`.split(/\r\n|\r|\n/);
  return {
    ...ended,
    annotations: lines.flatMap((line) => readCommand(line) ?? []),
    summary: read(given.GITHUB_STEP_SUMMARY),
    outputs: readOutputs(read(given.GITHUB_OUTPUT)),
  };
}

async function gate(thresholds: string, exec = `await http.get("/");`): Promise<string> {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${await startEchoServer()}",
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 3, exec: async ({ http }) => { ${exec} } } },
  thresholds: ${thresholds},
});
`;
}

describe("with GITHUB_ACTIONS=true", () => {
  test("a failed gate is annotated on its lines, summarized, and passed on to later steps", async () => {
    const workspace = checkout(
      await gate(
        `{
    http_reqs: ["count<=100"],
    http_req_duration: [
      "avg<0.001ms",
    ],
  }`,
        `await http.get("/"); if (Math.random() < 2) throw new Error("50 % off,\\n::error::x");`,
      ),
    );
    const job = await runJob(workspace, ["run", "shop.ts", "--out", "json=out/result.json"]);
    expect(job.exitCode, job.stderr).toBe(99);
    expect(job.annotations).toMatchObject([
      { command: "error", properties: { file: "load/shop.ts", line: "4", col: "153" } },
      {
        command: "error",
        properties: { file: "load/shop.ts", line: "8", col: "7", title: "bearhug: threshold failed" },
        data: expect.stringMatching(/^http_req_duration: avg<0\.001ms: was /) as string,
      },
    ]);
    expect(job.outputs).toEqual({
      verdict: "failed",
      "exit-code": "99",
      result: join(workspace, "load/out/result.json"),
    });
    expect(job.summary).toMatch(/^## ❌ bearhug: failed\n/);
    expect(job.stdout).toContain("✗ failed");
  });

  test("a gate that passes has no annotation", async () => {
    const job = await runJob(checkout(await gate(`{ http_reqs: ["count==3"] }`)), ["run", "shop.ts"]);
    expect(job.exitCode, job.stderr).toBe(0);
    expect(job.annotations).toEqual([]);
    expect(job.outputs).toEqual({ verdict: "passed", "exit-code": "0", result: "" });
    expect(job.summary).toMatch(/^## ✅ bearhug: passed\n/);
  });

  test("a run with a baseline outputs the verdict of the comparison", async () => {
    const workspace = checkout(await gate(`{ http_reqs: ["count==3"] }`));
    await runJob(workspace, ["run", "shop.ts", "--out", "json=base.json"]);
    const job = await runJob(workspace, [
      "run",
      "shop.ts",
      "--baseline",
      "base.json",
      "--allow",
      "generator",
    ]);
    expect(job.exitCode, job.stderr).toBe(0);
    // Three requests are too few to decide anything.
    expect(job.outputs).toEqual({
      verdict: "passed",
      "exit-code": "0",
      result: "",
      comparison: "undecided",
    });
  });

  test.each([
    ["does not parse", "export default {\n  a: ];", [], 104, { line: "2", col: "6" }],
    ["throws", `\n  throw new Error("no");`, [], 107, { line: "2", col: "9" }],
    ["gets an invalid option", "export default 1", ["--vus", "x"], 104, {}],
  ])("a test that %s is annotated, too", async (_, source, options, exitCode, place) => {
    const job = await runJob(checkout(source), ["run", "shop.ts", ...options]);
    expect(job.exitCode).toBe(exitCode);
    const file = "line" in place ? { file: "load/shop.ts" } : {};
    expect(job.annotations).toMatchObject([{ command: "error", properties: { ...file, ...place } }]);
    expect(job.outputs).toEqual({ verdict: "errored", "exit-code": String(exitCode), result: "" });
    expect(nodesOf(parseMarkdown(job.summary), "heading").map(textOf)[0]).toMatch(/^❌ bearhug: /);
  });

  test.each([
    ["capacity", "shop.ts", "--budget", "x"],
    ["ab-test", "shop.ts"],
  ])("a gate by bearhug %s that cannot begin is annotated, too", async (...line) => {
    const job = await runJob(checkout("export default 1"), line);
    expect(job.exitCode).toBe(104);
    expect(job.annotations).not.toEqual([]);
    expect(job.outputs).toMatchObject({ verdict: "errored", "exit-code": "104" });
  });

  test("each file that cannot be written is reported in a sentence, and the verdict stays", async () => {
    const folder = temporaryFolder();
    const files = { GITHUB_STEP_SUMMARY: folder, GITHUB_OUTPUT: join(folder, "not/there") };
    const job = await runJob(checkout(await gate(`{ http_reqs: ["count==3"] }`)), ["run", "shop.ts"], files);
    expect(job.exitCode).toBe(0);
    expect(job.stdout).toContain("✓ passed");
    expect(job.stderr).toMatch(
      /^bearhug: GITHUB_STEP_SUMMARY: the job summary could not be written: EISDIR/m,
    );
    expect(job.stderr).toMatch(/^bearhug: GITHUB_OUTPUT: the step outputs could not be written: ENOENT/m);
  });

  test("the files keep what earlier commands of the step wrote", async () => {
    const files = temporaryFolder();
    const paths = { GITHUB_STEP_SUMMARY: join(files, "summary"), GITHUB_OUTPUT: join(files, "outputs") };
    writeFileSync(paths.GITHUB_STEP_SUMMARY, "# Mine");
    writeFileSync(paths.GITHUB_OUTPUT, "mine=1");
    const job = await runJob(checkout(await gate(`{ http_reqs: ["count==3"] }`)), ["run", "shop.ts"], paths);
    expect(job.summary).toMatch(/^# Mine\n## ✅ bearhug/);
    expect(job.outputs).toMatchObject({ mine: "1", verdict: "passed" });
  });

  test("annotations name the same files if the checkout is behind a symbolic link", async () => {
    const workspace = checkout("throw new Error();");
    const link = join(temporaryFolder(), "link");
    symlinkSync(workspace, link);
    const job = await runJob(workspace, ["run", "shop.ts"], { GITHUB_WORKSPACE: link });
    expect(job.annotations).toMatchObject([{ properties: { file: "load/shop.ts" } }]);
  });

  test("names that look like commands do not act as commands, not even in the log", async () => {
    const name = JSON.stringify(
      "::error file=x::a ##[error]b %0A::warning::c\r\n::set-output name=verdict::passed",
    );
    const exec = `await http.get("/", { name: ${name} }); await page(${name}, () => http.get("/")); check(1, { [${name}]: () => false }); log(${name}); console.log(${name});`;
    const source = (await gate(`{ checks: ["rate>99%"] }`, exec)).replace(
      "{ http }",
      "{ http, check, page, log }",
    );
    const job = await runJob(checkout(source), ["run", "shop.ts", "--tag", "branch=::error::x"]);
    expect(job.exitCode, job.stderr).toBe(99);
    expect(job.annotations).toMatchObject([
      { command: "error", data: expect.stringMatching(/^checks: /) as string },
    ]);
    expect(job.outputs["verdict"]).toBe("failed");
  });
});

test("nothing of this is written outside of GitHub Actions", async () => {
  const files = temporaryFolder();
  const paths = { GITHUB_STEP_SUMMARY: join(files, "summary"), GITHUB_OUTPUT: join(files, "outputs") };
  const job = await runJob(checkout("throw new Error();"), ["run", "shop.ts"], {
    ...paths,
    GITHUB_ACTIONS: "",
  });
  expect(job.exitCode).toBe(107);
  expect(job.annotations).toEqual([]);
  expect([paths.GITHUB_STEP_SUMMARY, paths.GITHUB_OUTPUT].map((path) => existsSync(path))).toEqual([
    false,
    false,
  ]);
});
