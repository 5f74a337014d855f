import { InvalidInput } from "@bearhug/sdk";
import { expect, test } from "vitest";

import * as agent from "../../../src/commands/cluster/agent.ts";
import * as bench from "../../../src/commands/bench/bench.ts";
import * as capacity from "../../../src/commands/trials/capacity.ts";
import { explainOwnFlag } from "../../../src/commands/command-line/explain-own-flag.ts";
import * as run from "../../../src/commands/run/run.ts";
import * as sweep from "../../../src/commands/trials/sweep.ts";
import { validateCommandLine } from "../../../src/commands/command-line/validate-command-line.ts";

const commands = [agent, bench, capacity, run, sweep].map(({ createCommand }) => createCommand());

function problemsOf(
  module: typeof bench | typeof sweep | typeof capacity,
  ...line: string[]
): readonly string[] {
  try {
    validateCommandLine(module.createCommand(), ["127.0.0.1", ...line], () => [], {});
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  return [];
}

test.for([
  ["--rate", "--max-rate"],
  ["--vus", "--max-rate"],
  ["-c", "--max-rate"],
  ["-d", "--budget"],
  ["--duration", "--budget"],
  ["-n", "--budget"],
  ["--to", "--max-rate"],
] as const)("capacity %s suggests %s", ([flag, meant]) => {
  const [problem, ...others] = problemsOf(capacity, flag, "10");
  expect(problem).toMatch(new RegExp(`^${flag}: unknown option\\. .*${meant}`));
  expect(others).toEqual([]);
});

test.for([
  ["-d", "--measure"],
  ["-n", "--measure"],
  ["--duration", "--measure"],
  ["--max-rate", "--rate"],
  ["--slo", "bearhug capacity"],
] as const)("sweep %s suggests %s", ([flag, meant]) => {
  const [problem, ...others] = problemsOf(sweep, flag, "10");
  expect(problem).toMatch(new RegExp(`^${flag}: unknown option\\. .*${meant}`));
  expect(others).toEqual([]);
});

test.for(["--fingerprint=5c1f", "--fingerprint 5c1f"])("agent %s is reported as no longer needed", (flag) => {
  const validate = (): void => {
    validateCommandLine(agent.createCommand(), flag.split(" "), () => [], {});
  };
  expect(validate).toThrow(
    /^--fingerprint: unknown option\. It is no longer needed: the agent recognizes its coordinator by the token\.$/,
  );
});

test("a flag with an attached value is explained, too", () => {
  expect(problemsOf(capacity, "-c10", "--duration=9s")).toEqual([
    expect.stringContaining("-c10: unknown option. A search finds the load itself"),
    "--duration: unknown option. Set the time of the whole search with --budget.",
  ]);
});

test("a flag that takes no value is refused with one", () => {
  expect(problemsOf(sweep, "--json=3")).toEqual(["--json: takes no value."]);
  expect(problemsOf(run, "--quiet=yes")).toEqual(["--quiet: takes no value."]);
});

test("a letter that no command has gets no suggestion", () => {
  expect(problemsOf(sweep, "-Z")).toEqual(["-Z: unknown option. See bearhug sweep --help."]);
});

test("no explanation denies an option that the command has, or names one that does not exist", () => {
  const known = new Set(
    commands.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
  );
  for (const command of commands)
    for (const { long, short } of command.options)
      for (const flag of [long, short].filter((one) => one !== undefined))
        expect(explainOwnFlag(command.name(), flag), `${command.name()} ${flag}`).toBeNull();
  for (const command of commands)
    for (const flag of known) {
      const hint = explainOwnFlag(command.name(), flag ?? "")?.hint ?? "";
      for (const named of hint.match(/--[a-z-]+/g) ?? []) expect(known, hint).toContain(named);
    }
});

test.for([capacity, sweep])("--ui is refused by a command that makes many runs", (module) => {
  expect(problemsOf(module, "--ui")).toEqual([
    "--ui: unknown option. The live page shows a single run: bearhug run or bearhug <url>. The terminal shows each step, and --out html=FILE writes a report.",
  ]);
});

test("--max-vus, an option of capacity, suggests the option that limits virtual users elsewhere", () => {
  expect(problemsOf(bench, "--max-vus", "10")).toEqual([
    "--max-vus: unknown option. Set the most virtual users with -c.",
  ]);
  expect(problemsOf(run, "--max-vus", "10")[0]).toContain("Set the most virtual users with --vus.");
});
