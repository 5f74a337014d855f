import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";

import { lintWorkflow } from "../packaging/lint-workflow.ts";
import { runBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}

test("bearhug init --yes writes a project once, and changes nothing the second time", async () => {
  const folder = temporaryFolder();
  const first = await runBearhug(["init", "http://127.0.0.1:9/", "--yes"], folder);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(first.stdout).toMatch(
    /^ {2}new {6}load\/first\.load\.ts\n[^]*\nNext:\n {2}npm install\n {2}npx bearhug /,
  );
  const written = filesIn(folder);
  expect(Object.keys(written)).toHaveLength(8);
  expect(lintWorkflow(join(folder, ".github/workflows/load-test.yml"))).toBe("");
  const second = await runBearhug(["init", "http://127.0.0.1:10/", "--yes"], folder);
  expect(second).toMatchObject({ exitCode: 0, stderr: "" });
  expect(second.stdout).toMatch(/ kept {5}load\/first\.load\.ts +exists\n[^]*nothing to write\.\n$/);
  expect(filesIn(folder)).toEqual(written);
});

test("the first test runs as it was written, and a failed threshold is a problem on its line", async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  await runBearhug(["init", server.url, "--yes"], folder);
  const test = join(folder, "load/first.load.ts");
  const run = ["run", "load/first.load.ts", "--iterations", "1", "--problems"];
  const passed = await runBearhug(run, folder);
  expect(passed).toMatchObject({ exitCode: 0 });
  expect(passed.stderr).not.toContain("first.load.ts:");
  writeFileSync(test, readFileSync(test, "utf8").replace("p(95)<500ms", "p(95)<0.001ms"));
  const failed = await runBearhug(run, folder);
  expect(failed.exitCode).toBe(99);
  expect(problemsOf(failed.stderr, folder)).toEqual([
    [
      "load/first.load.ts",
      "20",
      "25",
      "error",
      expect.stringMatching(/^http_req_duration: p\(95\)<0\.001ms: was /),
    ],
  ]);
});

const tasksSchema = z.object({
  tasks: z.tuple([
    z.object({
      problemMatcher: z.array(z.object({ pattern: z.object({ regexp: z.string() }) })),
    }),
  ]),
});

/** Reads output as VS Code does, with the problem matchers that were written. */
function problemsOf(output: string, folder: string): string[][] {
  const tasks: unknown = JSON.parse(readFileSync(join(folder, ".vscode/tasks.json"), "utf8"));
  const matchers = tasksSchema.parse(tasks).tasks[0].problemMatcher;
  return output.split("\n").flatMap((line) => {
    const matches = matchers.map(({ pattern }) => new RegExp(pattern.regexp).exec(line));
    return matches.flatMap((match) => (match === null ? [] : [match.slice(1)]));
  });
}

test("a test that cannot be parsed, and one that throws, are problems on their lines, too", async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  await runBearhug(["init", server.url, "--yes"], folder);
  const test = join(folder, "load/first.load.ts");
  const source = readFileSync(test, "utf8");
  const run = ["run", "load/first.load.ts", "--iterations", "1", "--problems"];
  writeFileSync(test, source.replace('await http.get("/");', 'await http.get("/")); '));
  expect(problemsOf((await runBearhug(run, folder)).stderr, folder)).toEqual([
    ["load/first.load.ts", "12", "45", expect.stringContaining("Expected")],
  ]);
  writeFileSync(
    test,
    source.replace('await http.get("/");', 'await http.get("/");\nthrow new Error("oops");'),
  );
  const thrown = problemsOf((await runBearhug(run, folder)).stderr, folder);
  expect(thrown).toContainEqual([
    "load/first.load.ts",
    "13",
    "7",
    "error",
    expect.stringContaining("Error: oops"),
  ]);
});

test("--dry-run shows the files and writes nothing; without --yes, a terminal is needed to confirm", async () => {
  const folder = temporaryFolder();
  const shown = await runBearhug(["init", "--dry-run"], folder);
  expect(shown).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/new +\.vscode\/tasks\.json/) as string,
  });
  const asked = await runBearhug(["init"], folder);
  expect(asked).toMatchObject({
    exitCode: 104,
    stderr: "bearhug: There is no terminal to confirm on. Add --yes to write these files.\n",
  });
  expect(filesIn(folder)).toEqual({});
});

test("--har imports the first test with the files that it needs, which leave out its secrets", async () => {
  const folder = temporaryFolder();
  const har = join(import.meta.dirname, "../../../../docs/demo.har");
  const { exitCode, stdout } = await runBearhug(
    ["init", "--har", har, "--directory", "shop", "--yes"],
    folder,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    "\n  cd shop\n  npm install\n  cp load/.env.example load/.env  # and fill it in\n",
  );
  const files = filesIn(join(folder, "shop"));
  expect(files["load/demo.load.ts"]).toContain("defineTest");
  expect(files["load/.gitignore"]).toBe(".env\n");
  expect(files["load/.env.example"]).toMatch(/^[A-Z_]+=$/m);
  expect(files[".github/workflows/load-test.yml"]).toMatch(/([A-Z_]+): \$\{\{ secrets\.\1 \}\}/);
});

test("unusable options are refused with a sentence each", async () => {
  const folder = temporaryFolder();
  const refused = await runBearhug(["init", "http://me:secret@shop.test/", "--har", "no.har"], folder);
  expect(refused.exitCode).toBe(104);
  expect(refused.stderr.split("\n")).toEqual([
    "bearhug: <url>: leave out the user and password; they would be written into the test.",
    "bearhug: There is no file no.har.",
    "bearhug: --har: the recording has its own addresses. Leave out <url>, or --har.",
    "",
  ]);
});

test("a file that cannot be written is named, and no other is left behind", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, ".github"), "");
  const failed = await runBearhug(["init", "--yes"], folder);
  expect(failed.stderr).toMatch(/^bearhug(?: init)?: .*\.github.*\n$/);
  expect(failed.exitCode).not.toBe(0);
  expect(Object.keys(filesIn(folder))).toEqual([".github"]);
});
