import { globSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { root } from "../../../../tools/workspace.mjs";
import { auditWorkflows, hasZizmor } from "./audit-workflows.ts";
import { lintWorkflow } from "./lint-workflow.ts";

const folder = join(root, ".github/workflows");
const pathOf = (name: string) => join(folder, name);
const names = readdirSync(folder);
const read = (name: string) => readFileSync(pathOf(name), "utf8");

test("the workflows pass actionlint", () => {
  expect(lintWorkflow(pathOf("*.yml"), names.length)).toBe("");
});

describe.skipIf(!hasZizmor)("zizmor finds nothing", () => {
  test("in the workflows and the action", () => {
    expect(auditWorkflows([folder, join(root, "action.yml")])).toBe("");
  });

  test("in the examples", () => {
    const config = join(import.meta.dirname, "fixtures/zizmor-examples.yml");
    const examples = globSync(join(root, "examples/github/*.yml"));
    expect(examples).toHaveLength(6);
    expect(auditWorkflows(examples, ["--config", config])).toBe("");
  });
});

describe.for(names)("the workflow %s", (name) => {
  test("pins each action to a commit, with its version in a comment", () => {
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
