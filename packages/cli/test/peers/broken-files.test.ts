import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

/** A test file with which no run may start, with its line and message; `…` stands for any text. */
interface BrokenFile {
  readonly name: string;
  readonly line: number;
  readonly says: string;
  /** The lines of the file. */
  readonly source: readonly string[];
}

const kinds = JSON.parse(
  readFileSync(new URL("fixtures/broken-files.json", import.meta.url), "utf8"),
) as readonly BrokenFile[];

function folderOfAll(): string {
  const folder = temporaryFolder();
  for (const { name, source } of kinds) writeFileSync(join(folder, `${name}.load.ts`), source.join("\n"));
  writeFileSync(join(folder, "users.csv"), "name\nada\n");
  writeFileSync(join(folder, "broken.json"), "[{]");
  return folder;
}

test("check reports every kind of broken test file, with the line", async () => {
  const { exitCode, stderr } = await runBearhug(["check", "--no-types", "--strict-env"], folderOfAll());
  const lines = stderr.split("\n");
  expect(exitCode).toBe(104);
  expect(lines.at(-2)).toContain(`${kinds.length} tests checked: `);
  for (const { name, line, says } of kinds) {
    const own = lines.filter((one) => one.startsWith(`${name}.load.ts:${line}:`));
    expect(own.join("\n"), name).toMatch(patternOf(says));
  }
});

test("run names every broken test file, and sends nothing", async () => {
  const { exitCode, stdout, stderr } = await runBearhug(["run", "."], folderOfAll());
  expect([104, 107]).toContain(exitCode);
  expect(stdout).not.toContain("Traffic");
  for (const { name } of kinds) expect(stderr + stdout, name).toContain(`${name}.load.ts`);
});

function patternOf(says: string): RegExp {
  return new RegExp(
    says
      .split("…")
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*"),
  );
}
