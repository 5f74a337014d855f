import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { allowances } from "@bearhug/metrics/comparison/comparable";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { repositoryName } from "../../../../tools/repository.mjs";
import { root } from "../../../../tools/workspace.mjs";
import { action, actionText } from "./action-file.ts";
import { createParser } from "./github-parser.ts";

const { steps } = action.runs;

const usesSchema = z.object({
  jobs: z
    .record(
      z.string(),
      z.object({
        steps: z.array(
          z.object({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).default({}) }),
        ),
      }),
    )
    .transform((jobs) => Object.values(jobs)),
});

describe("action.yml", () => {
  test("is valid for GitHub's own parser, and a mistake in it makes it invalid", async () => {
    const problemsOf = await createParser();
    expect(problemsOf(actionText)).toEqual([]);
    const slips = [
      ["using: composite", "using: composite\n  shel: bash"],
      ["shell: bash", "name: x"],
      ["${{ inputs.test }}", "${{ secrets.test }}"],
      ["${{ inputs.test }}", "${{ inputs.test && }}"],
    ] as const;
    for (const [from, to] of slips) {
      expect(actionText).toContain(from);
      expect(problemsOf(actionText.replace(from, to)), to).not.toEqual([]);
    }
  });

  test("passes inputs to scripts only through environment variables", () => {
    for (const { name, run } of steps)
      expect([name, run ?? ""]).not.toContainEqual(expect.stringContaining("${{"));
  });

  test("pins each action that it uses to a commit, with its version in a comment", () => {
    const uses = actionText.match(/uses: .*/g);
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const use of uses ?? [])
      expect(use).toMatch(/^uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("accepts each difference that bearhug compare can allow", () => {
    const script = readFileSync(join(root, "action/check-inputs.sh"), "utf8");
    expect(script).toContain(`differences="(${allowances.join("|")})"`);
  });

  test("uses every input", () => {
    for (const name of Object.keys(action.inputs)) expect(actionText).toMatch(`inputs.${name} `);
  });

  test("gives each script the variables that it reads", () => {
    const files = readdirSync(join(root, "action"));
    const ran = steps.flatMap(({ run, env }) => {
      const [, file] = /action\/([\w-]+\.(?:ts|sh))"/.exec(run ?? "") ?? [];
      return file === undefined ? [] : [{ file, given: Object.keys(env) }];
    });
    expect(ran.length).toBeGreaterThan(6);
    for (const { file, given } of ran) {
      expect(files).toContain(file);
      const source = readFileSync(join(root, "action", file), "utf8");
      const named = source.matchAll(file.endsWith(".ts") ? /variable\("(\w+)"\)/g : /\$\{?([A-Z_]+)\b/g);
      const read = new Set([...named].flatMap(([, name]) => name ?? []));
      for (const name of ["SECONDS", "RUNNER_OS", "RUNNER_TEMP"]) read.delete(name);
      const own = [...read].filter((name) => !/^GITHUB_(?!TOKEN)/.test(name));
      expect([file, own.toSorted()]).toEqual([file, given.toSorted()]);
    }
  });

  test.each(["gate-with-action.yml", "nightly.yml", "shards.yml"])(
    "has the inputs that examples/github/%s sets",
    (name) => {
      const given = usesSchema
        .parse(parse(readFileSync(join(root, "examples/github", name), "utf8")))
        .jobs.flatMap(({ steps: all }) => all)
        .flatMap(({ uses, with: inputs }) =>
          uses?.startsWith(`${repositoryName}@`) === true ? [inputs] : [],
        );
      expect(given).toHaveLength(1);
      const required = Object.entries(action.inputs).flatMap(([input, one]) => (one.required ? [input] : []));
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given[0] ?? {})));
      expect(Object.keys(given[0] ?? {})).toEqual(expect.arrayContaining(required));
    },
  );
});
