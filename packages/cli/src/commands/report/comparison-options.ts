import { allowances, type Allowance } from "@bearhug/metrics/comparison/comparable";
import type { ComparisonRules } from "@bearhug/metrics/comparison/compare-results";
import { Option, type Command } from "commander";
import { addOptions, repeatableOption } from "../options.ts";

/** The flags of every command that compares, unparsed. */
export interface ComparisonFlags {
  readonly tolerance: string;
  readonly rateTolerance: string;
  readonly runNoise: string;
  readonly failOn: string;
  readonly allow: readonly string[];
  /** Absent where the two sides take turns in one run. */
  readonly ifIncomparable?: string;
}

/** The rules of a comparison, and the differences to accept. */
export interface ComparisonOptions {
  readonly rules: ComparisonRules;
  readonly allowed: ReadonlySet<Allowance>;
  /**
   * True to warn and pass, instead of failing, if runs cannot be compared only because the test or the load
   * changed.
   */
  readonly passesChanges: boolean;
}

const defaults = {
  tolerance: "5%",
  rateTolerance: "0.5%",
  runNoise: "5%",
  failOn: "regressed",
  ifIncomparable: "fail",
} as const;

/**
 * Adds the options of a comparison to a command. Sides that take turns in one run need no noise between runs.
 */
export function addComparisonOptions(command: Command, sides: "runs" | "turns" = "runs"): Command {
  const ofRuns = (option: Option): Option[] => (sides === "runs" ? [option] : []);
  return addOptions(command, "Pass or fail", [
    new Option("--tolerance <percent>", "accept a change for the worse up to this").default(
      defaults.tolerance,
    ),
    new Option(
      "--rate-tolerance <points>",
      "accept failure rates up to this many percentage points worse",
    ).default(defaults.rateTolerance),
    ...ofRuns(
      new Option(
        "--run-noise <percent>",
        "how much two runs of an unchanged target may differ; used where a side has only one run",
      ).default(defaults.runNoise),
    ),
    new Option(
      "--fail-on <answer>",
      "answer that fails the command (99): regressed, or undecided to fail on both",
    ).default(defaults.failOn),
    repeatableOption("--allow <differences>", `compare even if these differ: ${allowances.join(", ")}`),
    ...ofRuns(
      new Option(
        "--if-incomparable <what>",
        "fail with 104, or warn and pass, if the test or load changed",
      ).default(defaults.ifIncomparable),
    ),
  ]);
}

/** Reads the options of a comparison and adds a sentence to `problems` for each that cannot be used. */
export function readComparison(flags: ComparisonFlags, problems: string[]): ComparisonOptions {
  const allowed = flags.allow.flatMap((list) => list.split(",").map((one) => one.trim()));
  const isKnown = (name: string): name is Allowance => allowances.some((one) => one === name);
  for (const name of allowed.filter((one) => !isKnown(one)))
    problems.push(`--allow ${name}: must be one of ${allowances.join(", ")}.`);
  if (!["regressed", "undecided"].includes(flags.failOn))
    problems.push(`--fail-on ${flags.failOn}: must be regressed or undecided.`);
  const { ifIncomparable = defaults.ifIncomparable } = flags;
  if (!["fail", "warn"].includes(ifIncomparable))
    problems.push(`--if-incomparable ${ifIncomparable}: must be fail or warn.`);
  return {
    allowed: new Set(allowed.filter(isKnown)),
    passesChanges: ifIncomparable === "warn",
    rules: {
      tolerance: readShare("--tolerance", flags.tolerance, problems),
      rateTolerance: readShare("--rate-tolerance", flags.rateTolerance, problems),
      runNoise: readShare("--run-noise", flags.runNoise, problems),
      isAnyMachine: allowed.includes("machine"),
      isAnyGenerator: allowed.includes("generator"),
      isAnyRedirect: allowed.includes("redirects"),
      isAnySize: allowed.includes("sizes"),
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

/** The flags of a run that is compared with a baseline. */
export interface BaselineFlags extends ComparisonFlags {
  readonly baseline: readonly string[];
}

/** Adds `--baseline`, and the options of a comparison. */
export function addBaselineOptions(command: Command): Command {
  return addComparisonOptions(
    command.addOption(
      repeatableOption("--baseline <result>", "compare with this result.json and fail if worse").helpGroup(
        "Pass or fail:",
      ),
    ),
  );
}

/**
 * Reads the options of `--baseline`. Returns null without one, and a problem for each other option on the
 * command line, which then has no effect. Variables may be set for several runs, of which some have none.
 */
export function readBaselineOptions(
  flags: BaselineFlags,
  command: Command,
  problems: string[],
): ComparisonOptions | null {
  const options = readComparison(flags, problems);
  if (flags.baseline.length > 0) return options;
  const isDefault: Readonly<Record<string, boolean>> = {
    "--tolerance": flags.tolerance === defaults.tolerance,
    "--rate-tolerance": flags.rateTolerance === defaults.rateTolerance,
    "--run-noise": flags.runNoise === defaults.runNoise,
    "--fail-on": flags.failOn === defaults.failOn,
    "--allow": flags.allow.length === 0,
    "--if-incomparable": flags.ifIncomparable === defaults.ifIncomparable,
  };
  const isWritten = (option: Option): boolean =>
    command.getOptionValueSource(option.attributeName()) === "cli";
  for (const { long: flag } of command.options.filter(isWritten))
    if (flag && isDefault[flag] === false)
      problems.push(`${flag}: needs a baseline. Add --baseline base.json.`);
  return null;
}
