import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { writeTestSummary } from "../../../src/commands/report/report-result.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";
import { passed } from "../../../../report/test/results.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
  });
});

async function write(files: Readonly<Record<string, string>>): Promise<string[]> {
  const warnings: string[] = [];
  const { stdout, problems } = await writeTestSummary(
    {
      summarize: () => Promise.resolve({ summary: { stdout: "done", files } }),
      inputs: ["test.ts"],
      ownSummary: () => {
        throw new Error("the caller shows it");
      },
      warn: (text) => warnings.push(text),
    },
    passed,
  );
  expect(stdout).toBe("done");
  expect(problems.map(({ message }) => message)).toEqual(warnings);
  return warnings;
}

test("a summary's files are written in the working directory, with their folders", async () => {
  expect(await write({ "a.txt": "A", "out/new/b.json": "{}", [join(folder, "c")]: "C" })).toEqual([]);
  expect(readFileSync("a.txt", "utf8")).toBe("A");
  expect(readFileSync("out/new/b.json", "utf8")).toBe("{}");
  expect(readFileSync("c", "utf8")).toBe("C");
});

test("no file of a summary is written if one is misplaced, and each problem is reported", async () => {
  mkdirSync("taken");
  writeFileSync("test.ts", "mine");
  symlinkSync(tmpdir(), "away");
  const files = ["../up.txt", "/outside.txt", "away/x.txt", "taken", "", "test.ts", "..fine.txt"];
  expect(await write(Object.fromEntries(files.map((path) => [path, "x"])))).toEqual(
    [
      "../up.txt is outside the working directory. Use a path inside it.",
      "/outside.txt is outside the working directory. Use a path inside it.",
      "away/x.txt is outside the working directory. Use a path inside it.",
      `taken is a folder. Name a file in it, such as ${join("taken", "report")}.`,
      "a file in files has no path. Give each file a path.",
      "the report would replace test.ts, which this command reads. Choose another path.",
    ].map((why) => `report not written: ${why} (the test's summary)`),
  );
  expect(readdirSync(".").sort()).toEqual(["away", "taken", "test.ts"]);
  expect(readFileSync("test.ts", "utf8")).toBe("mine");
});

test("a file that the system refuses is reported", async () => {
  writeFileSync("file", "");
  expect(await write({ "file/below.txt": "x" })).toEqual([
    "report not written: file is not a folder. Choose another path. (the test's summary)",
  ]);
});
