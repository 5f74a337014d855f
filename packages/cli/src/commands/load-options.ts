import { monitorKinds } from "@bearhug/plan/monitors/monitor-kinds";
import { httpFlags, type Flag } from "@bearhug/plan/test-file/http-flags";
import { loadFlags, type FlagUsers } from "@bearhug/plan/test-file/run-options";
import { reportsOfRuns } from "@bearhug/report/index";
import { Option, type Command } from "commander";

import type { WrittenRun } from "../run/read-flags.ts";

/** The flags of every command that applies load, as they were written. */
export interface LoadFlags extends WrittenRun {
  readonly latency: boolean;
  readonly quiet: boolean;
  /** These two are absent for commands without them. */
  readonly ui?: boolean;
  readonly problems?: boolean;
}

/** The texts of help about `--out`. */
interface OutWords {
  readonly out: string;
  readonly reports: string;
}

/** Adds the options that every command has which applies load: of requests, workers and reports. */
export function addLoadOptions(command: Command, written: Partial<OutWords> = {}): Command {
  const { out = "--out <reporter=path>", reports = reportsOfRuns } = written;
  for (const flag of httpFlags) addFlag(command, flag);
  for (const { flag, value, help } of Object.values(monitorKinds)) {
    const flags = `${flag} <name=${value.toLowerCase()}>`;
    addFlag(command, { flags, help, topic: "The server's load", isRepeatable: true });
  }
  command
    .addOption(
      new Option(out, `also write a report: ${reports}`).helpGroup("Output:").argParser(collect).default([]),
    )
    .addOption(jsonOutOption())
    .addOption(latencyOption())
    .addOption(new Option("--quiet", "print only the summary").helpGroup("Output:").default(false));
  return addFlags(command, "all");
}

/** Adds the options that decide the load of a test. */
export function addPlanOptions(command: Command): Command {
  return addOverrideOptions(addFlags(command, "test"));
}

/** Adds the options that change the load of a test, and give it variables. */
export function addOverrideOptions(command: Command): Command {
  return addFlags(command, "override").addOption(envFromOption());
}

/** Adds the options of one machine of several that share a run. */
export function addShardOptions(command: Command): Command {
  return addFlags(command, "shard");
}

function addFlags(command: Command, users: FlagUsers): Command {
  for (const flag of Object.values(loadFlags)) if (flag.of === users) addFlag(command, flag);
  return command;
}

function addFlag(command: Command, flag: Flag): void {
  command.addOption(flagOption(flag));
  if (flag.alias !== undefined) command.addOption(new Option(flag.alias, flag.help).hideHelp());
}

/** The option of a flag. */
export function flagOption({ flags, help, topic, isRepeatable = false, usually }: Flag): Option {
  const option = new Option(flags, help).helpGroup(`${topic}:`);
  // A switch like any other, although its name may begin with no.
  option.negate = false;
  if (isRepeatable) return option.argParser(collect).default([], usually);
  return flags.includes("<") ? option : option.default(false);
}

/** The option of the commands that give variables to a test, without a letter for it. */
export function envOption(help = "set a variable that the test declares"): Option {
  return flagOption({ ...loadFlags.env, flags: "--env <name=value>", help });
}

/**
 * The option of every command that gives variables to a test. Node looks for its own `--env-file` in the arguments of every
 * program, also in those of `npx` and `pnpm`, and ends with 9 where there is no such file. So that name is an alias.
 */
export function envFromOption(): Option {
  return new EnvFromOption("--env-from <path>", "read variables from a .env file").helpGroup(
    "Target and variables:",
  );
}

class EnvFromOption extends Option {
  override short = "--env-file";

  /** The name of the same option in `bearhug.config.ts` and in `runTest`. */
  override attributeName(): string {
    return "envFile";
  }
}

/** The option of the commands that send a test to other machines. */
export function sendOption(): Option {
  return new Option("--send <file>", "also send a file that the test's code does not name")
    .helpGroup("Pods and agents:")
    .argParser(collect)
    .default([]);
}

/** The option of the commands that can be streamed. */
export function samplesOption(): Option {
  return new Option(
    "--samples <which>",
    "single requests that --out ndjson records: all, errors, or a share such as 1%",
  ).helpGroup("Output:");
}

/** The option of the commands that can show a page in a browser. */
export function uiOption(help = "show the run in your browser while it goes on"): Option {
  return new Option("--ui", help).helpGroup("Output:").default(false);
}

/** The option of the command that an editor starts. */
export function problemsOption(): Option {
  return new Option("--problems", "print failed thresholds and errors as file:line:column, for editors")
    .helpGroup("Output:")
    .default(false);
}

export function latencyOption(): Option {
  return new Option("--latency", "print all percentiles of response times, as HdrHistogram does")
    .helpGroup("Output:")
    .default(false);
}

/** One who types a line waits for it. The iterations of a test may be long, and have k6's 30 s. */
export const oneLinerStopMs = 2000;

/** A one-liner's duration: a number alone is seconds, as in wrk and autocannon. */
export function inSeconds({ duration }: Pick<LoadFlags, "duration">): Pick<LoadFlags, "duration"> {
  if (duration === undefined) return {};
  return { duration: /^\d+(?:\.\d+)?$/.test(duration) ? `${duration}s` : duration };
}

/** The option of the commands that print a document of their own. */
export function jsonOption(): Option {
  return new Option("--json", "print one JSON document instead, for scripts and coding agents")
    .helpGroup("Output:")
    .default(false);
}

/** The option of the commands that have `--out`: another name for `--out json=-`. */
export function jsonOutOption(help = "print the result as JSON on stdout: the same as --out json=-"): Option {
  return new JsonOutOption("--json", help).helpGroup("Output:").preset("json=-").argParser(collect);
}

/** Adds to the values of `--out`. */
export class JsonOutOption extends Option {
  override attributeName(): string {
    return "out";
  }
}

/** An option that may be given several times. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
