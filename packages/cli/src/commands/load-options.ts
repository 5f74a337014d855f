import { monitorKinds } from "@bearhug/plan/monitors/monitor-kinds";
import { httpFlags, type Flag } from "@bearhug/plan/test-file/http-flags";
import {
  loadFlags,
  readRunOptions,
  type FlagUsers,
  type RunOptions,
} from "@bearhug/plan/test-file/run-options";
import { reportsOfRuns } from "@bearhug/report/index";
import { Option, type Command } from "commander";

import { collect, repeatableOption, switchOption } from "./options.ts";
import { checkFlags, type LoadedFile, type WrittenRun } from "../run/check-flags.ts";

/** The flags of every command that applies load, unparsed. */
export interface LoadFlags extends WrittenRun {
  readonly latency: boolean;
  readonly quiet: boolean;
  /** This and `problems` are absent for commands without them. */
  readonly ui?: boolean;
  readonly problems?: boolean;
}

/** The help texts of `--out`. */
interface OutTexts {
  readonly out: string;
  readonly reports: string;
}

/** Adds the options that all commands that apply load share: HTTP client, monitors and reports. */
export function addLoadOptions(command: Command, written: Partial<OutTexts> = {}): Command {
  const { out = "--out <reporter=path>", reports = reportsOfRuns } = written;
  for (const flag of httpFlags) addFlag(command, flag);
  for (const { flag, value, help } of Object.values(monitorKinds)) {
    const flags = `${flag} <name=${value.toLowerCase()}>`;
    addFlag(command, { flags, help, topic: "The server's load", isRepeatable: true });
  }
  command
    .addOption(repeatableOption(out, `also write a report: ${reports}`).helpGroup("Output:"))
    .addOption(jsonOutOption())
    .addOption(latencyOption())
    .addOption(switchOption("--quiet", "print only the summary").helpGroup("Output:"));
  return addFlags(command, "all");
}

/** Adds the options that decide the load of a test. */
export function addPlanOptions(command: Command): Command {
  return addOverrideOptions(addFlags(command, "test"));
}

/** Adds the options that change the load of a test, and those that set its variables. */
export function addOverrideOptions(command: Command): Command {
  return addFlags(command, "override").addOption(envFromOption());
}

/** Adds the options of one machine among several that share a run. */
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

/** Reads the flags of a command that applies load. Adds a sentence to `problems` for each that cannot be used. */
export function readFlags(flags: WrittenRun, loaded: LoadedFile, problems: string[]): RunOptions {
  const options = readRunOptions(flags, problems);
  checkFlags(flags, options, loaded, problems);
  return options;
}

/** Returns the commander option of a flag. */
export function flagOption({ flags, help, topic, isRepeatable = false, usually }: Flag): Option {
  const option = isRepeatable
    ? repeatableOption(flags, help, usually)
    : flags.includes("<")
      ? new Option(flags, help)
      : switchOption(flags, help);
  // Commander would treat a name that starts with `--no-` as the negation of another option.
  option.negate = false;
  return option.helpGroup(`${topic}:`);
}

/** Returns the option of commands that pass variables to a test, without a short name. */
export function envOption(help = "set a variable that the test declares"): Option {
  return flagOption({ ...loadFlags.env, flags: "--env <name=value>", help });
}

/**
 * Returns the option of every command that passes variables to a test. Node looks for its own `--env-file` in
 * the arguments of every program, also in those of `npx` and `pnpm`, and exits with 9 if there is no such
 * file. So that name is only an alias.
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

/** Returns the option of commands that send a test to other machines. */
export function sendOption(): Option {
  return repeatableOption("--send <file>", "also send a file that the test's code does not name").helpGroup(
    "Pods and agents:",
  );
}

/** Returns the option of commands whose samples can be streamed. */
export function samplesOption(): Option {
  return new Option(
    "--samples <which>",
    "single requests that --out ndjson records: all, errors, or a share such as 1%",
  ).helpGroup("Output:");
}

/** Returns the option of commands that can show a live page in a browser. */
export function uiOption(help = "show the run in your browser while it goes on"): Option {
  return switchOption("--ui", help).helpGroup("Output:");
}

/** Returns the option that editors use to find the places of problems. */
export function problemsOption(): Option {
  return switchOption(
    "--problems",
    "print failed thresholds and errors as file:line:column, for editors",
  ).helpGroup("Output:");
}

export function latencyOption(): Option {
  return switchOption("--latency", "print all percentiles of response times, as HdrHistogram does").helpGroup(
    "Output:",
  );
}

/**
 * The longest graceful stop of a one-liner, for which a user waits. A test's iterations may be long: its
 * default is 30 s, as in k6.
 */
export const oneLinerStopMs = 2000;

/** Returns a one-liner's duration, in which a plain number means seconds, as in wrk and autocannon. */
export function inSeconds({ duration }: Pick<LoadFlags, "duration">): Pick<LoadFlags, "duration"> {
  if (duration === undefined) return {};
  return { duration: /^\d+(?:\.\d+)?$/.test(duration) ? `${duration}s` : duration };
}

/** Returns the option of commands that print a JSON document of their own. */
export function jsonOption(): Option {
  return switchOption("--json", "print one JSON document instead, for scripts and coding agents").helpGroup(
    "Output:",
  );
}

/** Returns the option of commands that have `--out`: an alias of `--out json=-`. */
export function jsonOutOption(help = "print the result as JSON on stdout: the same as --out json=-"): Option {
  return new JsonOutOption("--json", help).helpGroup("Output:").preset("json=-").argParser(collect);
}

/** An option whose value is added to those of `--out`. */
export class JsonOutOption extends Option {
  override attributeName(): string {
    return "out";
  }
}
