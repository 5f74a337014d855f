import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

import { startDemo } from "../../src/demo/start-demo.ts";
import { followPage, type FollowedPage } from "./follow-page.ts";

const folder = join(import.meta.dirname, "../../skills");
const names = globSync("*/SKILL.md", { cwd: folder }).map((path) => path.split(/[/\\]/)[0] ?? "");

test("each skill has valid front matter and names only existing pages", () => {
  expect(names.toSorted()).toEqual([
    "convert-from-k6",
    "find-the-capacity",
    "gate-a-pull-request",
    "read-a-result",
    "write-a-load-test",
  ]);
  for (const name of names) {
    const text = readFileSync(join(folder, name, "SKILL.md"), "utf8");
    const head = parse(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? "") as Record<string, string>;
    expect(head["name"]).toBe(name);
    expect(head["description"]).toMatch(/^.{40,400}\. Use .*\.$/);
    for (const [, page = ""] of text.matchAll(/`(docs\/[\w-]+\.md)`/g))
      expect(() => readFileSync(join(folder, "../../..", page)), `${name}: ${page}`).not.toThrow();
  }
});

/** Runs the commands of a skill in an empty folder against the practice site. */
async function follow(name: string, shortened: Readonly<Record<string, string>>): Promise<FollowedPage> {
  const site = await startDemo({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => site.close());
  const here = { "127.0.0.1:8080": new URL(site.url).host };
  return followPage(`../packages/cli/skills/${name}/SKILL.md`, { ...here, ...shortened });
}

// The commands are for a POSIX shell.
test.skipIf(process.platform === "win32").each([
  {
    name: "write-a-load-test",
    shortened: { 'duration: "30s"': 'duration: "1s"', "p(95)<300ms": "p(95)<10s" },
  },
  { name: "convert-from-k6", shortened: { 'duration: "30s"': 'duration: "1s"' } },
  {
    name: "find-the-capacity",
    shortened: {
      "--budget 2m": "--budget 20s",
      // A busy machine may be too slow for the skill's rates and limits.
      "--rate 150 --arrivals poisson -c 100 -d 30s": "--rate 5 --arrivals poisson -c 100 -d 1s",
      'p(99)<200ms" --json': 'p(99)<10s" --json',
      "--max-rate 2000": "--max-rate 5",
      "--to 32 --measure 3s": "--to 2 --measure 500ms",
    },
  },
  {
    name: "gate-a-pull-request",
    // On a busy machine, two short runs differ for that reason alone.
    shortened: {
      'duration: "30s"': 'duration: "2s"',
      "--warmup 5s": "--warmup 1s",
      "p(95)<300ms": "p(95)<10s",
      "compare base.json new.json": "compare base.json new.json --tolerance 99%",
    },
  },
  { name: "read-a-result", shortened: {} },
])("each command of the skill $name does what it says", async ({ name, shortened }) => {
  const { commands } = await follow(name, shortened);
  expect(commands.length).toBeGreaterThan(1);
  for (const { line, exitCode, output } of commands) expect(exitCode, `${line}\n${output}`).toBe(0);
});
