import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { root } from "../../../../tools/workspace.mjs";
import { lintWorkflow } from "./lint-workflow.ts";

const folder = join(root, ".github/workflows");
const pathOf = (name: string) => join(folder, name);
const names = readdirSync(folder);
const read = (name: string) => readFileSync(pathOf(name), "utf8");

test("the workflows pass actionlint", () => {
  expect(lintWorkflow(pathOf("*.yml"), names.length)).toBe("");
});

describe.for(names)("the workflow %s", (name) => {
  test("names each action by its commit, and says which version that is", () => {
    const uses = read(name).match(/uses: .*/g);
    expect(uses).not.toBeNull();
    for (const use of uses ?? []) expect(use).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

test("the tests run on every Node and system that bearhug supports", () => {
  const schema = z.object({
    jobs: z.object({
      tests: z.object({
        strategy: z.object({ matrix: z.object({ os: z.array(z.string()), node: z.array(z.string()) }) }),
      }),
    }),
  });
  const { matrix } = schema.parse(parse(read("check.yml"))).jobs.tests.strategy;
  const engines = z.object({ engines: z.object({ node: z.string() }) });
  const { node: supported } = engines.parse(
    JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")),
  ).engines;
  expect(`>=${matrix.node[0] ?? ""}`).toBe(supported);
  expect(matrix.node.slice(1)).toEqual(["24", "latest"]);
  expect(matrix.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
});
