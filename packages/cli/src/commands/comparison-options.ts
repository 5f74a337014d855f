import { Option, type Command } from "commander";

import { allowances, type Allowance } from "../comparison/comparable.ts";
import type { ComparisonRules } from "../comparison/compare-results.ts";
import { collect } from "./load-options.ts";

/** The flags of every command that compares, as they were written. */
export interface ComparisonFlags {
  readonly tolerance: string;
  readonly rateTolerance: string;
  readonly runNoise: string;
  readonly failOn: string;
  readonly allow: readonly string[];
}

/** The rules that the flags say, and the differences that they accept. */
export interface ComparisonOptions {
  readonly rules: ComparisonRules;
  readonly allowed: ReadonlySet<Allowance>;
}

/** Adds the options of a comparison to a command. */
export function addComparisonOptions(command: Command): Command {
  return command
    .addOption(new Option("--tolerance <percent>", "accept changes for the worse up to this").default("5%"))
    .addOption(
      new Option(
        "--rate-tolerance <points>",
        "accept rates, such as failures, that are worse by up to this",
      ).default("0.5%"),
    )
    .addOption(
      new Option(
        "--run-noise <percent>",
        "how much runs of the same thing differ, for sides with one run",
      ).default("5%"),
    )
    .addOption(
      new Option("--fail-on <answer>", "exit with 99 also if undecided: regressed or undecided").default(
        "regressed",
      ),
    )
    .addOption(
      new Option("--allow <differences>", `compare in spite of differences: ${allowances.join(", ")}`)
        .argParser(collect)
        .default([]),
    );
}

/** Reads the options of a comparison and adds a sentence to `problems` for each that cannot be used. */
export function readComparison(flags: ComparisonFlags, problems: string[]): ComparisonOptions {
  const allowed = flags.allow.flatMap((list) => list.split(",").map((one) => one.trim()));
  const isKnown = (name: string): name is Allowance => allowances.some((one) => one === name);
  for (const name of allowed.filter((one) => !isKnown(one)))
    problems.push(`--allow ${name}: is none of ${allowances.join(", ")}.`);
  if (!["regressed", "undecided"].includes(flags.failOn))
    problems.push(`--fail-on ${flags.failOn}: must be regressed or undecided.`);
  return {
    allowed: new Set(allowed.filter(isKnown)),
    rules: {
      tolerance: readShare("--tolerance", flags.tolerance, problems),
      rateTolerance: readShare("--rate-tolerance", flags.rateTolerance, problems),
      runNoise: readShare("--run-noise", flags.runNoise, problems),
      isAnyMachine: allowed.includes("machine"),
      failsOnUndecided: flags.failOn === "undecided",
    },
  };
}

function readShare(flag: string, text: string, problems: string[]): number {
  const [, number] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  const share = Number(number) / 100;
  if (number === undefined || share >= 1) {
    problems.push(`${flag} ${text}: must be a percentage from 0% to below 100%, such as 5%.`);
    return 0;
  }
  return share;
}
