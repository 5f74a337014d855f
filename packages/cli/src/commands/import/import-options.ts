import { extname } from "node:path";

import {
  parseHostPattern,
  parsePattern,
  type HostPattern,
  type Parsed,
  type Pattern,
  type SelectOptions,
} from "@bearhug/har-import";

import { type Command, Option } from "commander";

import { repeatableOption, switchOption } from "../options.ts";
import { ClaimedPaths, whyNotFree } from "./import-paths.ts";
import { readPageRate } from "../run/pages-per-second.ts";

/** The command's flags, unparsed. */
export interface ImportFlags {
  readonly output?: string;
  readonly hosts: readonly string[];
  readonly skipHosts: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly static: string;
  readonly parameterize: boolean;
  readonly unique: boolean;
  readonly explain: boolean;
  readonly waterfall?: string;
  readonly redactHar?: string;
  readonly pagesPerSecond?: string;
  readonly withValues: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  /** Absent for commands without this flag. */
  readonly json?: boolean;
}

/** The parsed flags. */
export interface ImportCommandOptions {
  readonly select: SelectOptions;
  readonly pagesPerSecond: number | null;
  /** Requested files by option; null if not requested. Data and variables go beside the test. */
  readonly paths: Readonly<Record<OutputFlag, string | null>>;
}

/** Options that name a file to write. */
export type OutputFlag = "-o" | "--waterfall" | "--redact-har";

/** Adds the options of every command that imports: all but the test's own path. */
export function addImportOptions(command: Command): Command {
  return command
    .addOption(
      repeatableOption("--hosts <names>", "treat these hosts as part of the site: api.partner.com,*.cdn.net"),
    )
    .addOption(repeatableOption("--skip-hosts <names>", "skip requests to these hosts"))
    .addOption(
      repeatableOption(
        "--only <pattern>",
        "keep only requests that match: /api/*, https://host/*, *.png, type:image",
      ),
    )
    .addOption(repeatableOption("--skip <pattern>", "skip requests that match"))
    .addOption(
      new Option("--static <keep|drop>", "keep or drop style sheets, images, fonts, scripts, media").default(
        "keep",
      ),
    )
    .addOption(switchOption("--parameterize", "turn values that differ between similar requests into data"))
    .addOption(switchOption("--unique", "give what is created another name in each iteration"))
    .addOption(new Option("--pages-per-second <n>", "page loads to start per second: 1.1").helpGroup("Load:"))
    .addOption(switchOption("--explain", "explain what was imported, what was skipped and why"))
    .addOption(new Option("--waterfall <file.html>", "write the explanation as an HTML waterfall"))
    .addOption(new Option("--redact-har <out.har>", "write the recording without its secrets"))
    .addOption(switchOption("--with-values", "write the recorded values to a .env beside the test"))
    .addOption(switchOption("--yes", "add .env to .gitignore without asking"))
    .addOption(switchOption("--force", "overwrite existing files"));
}

/** Reads every option and adds a sentence to `problems` for each that cannot be used. */
export function readImportOptions(
  capture: string | undefined,
  flags: ImportFlags,
  problems: string[],
): ImportCommandOptions {
  const paths = {
    "-o": flags.output ?? null,
    "--waterfall": flags.waterfall ?? null,
    "--redact-har": flags.redactHar ?? null,
  };
  const options = {
    select: readSelection(flags, problems),
    pagesPerSecond: flags.pagesPerSecond === undefined ? null : readPageRate(flags.pagesPerSecond, problems),
    paths,
  };
  if (flags.output !== undefined && extname(flags.output) !== ".ts")
    problems.push(`-o ${flags.output}: the name of a test ends in .ts.`);
  if (flags.withValues && flags.output === undefined)
    problems.push("--with-values: needs -o; the values go into a .env beside the test.");
  if (flags.yes && !flags.withValues)
    problems.push("--yes: only works with --with-values. Add it, or leave --yes out.");
  if (flags.json === true && flags.explain)
    problems.push("--explain, --json: both print to standard output. Remove one of them.");
  problems.push(...pathProblems(capture, paths, flags.force));
  return options;
}

function readSelection(flags: ImportFlags, problems: string[]): SelectOptions {
  const selection: SelectOptions = {
    hosts: readHosts("--hosts", flags.hosts, problems),
    skipHosts: readHosts("--skip-hosts", flags.skipHosts, problems),
    only: readPatterns("--only", flags.only, problems),
    skip: readPatterns("--skip", flags.skip, problems),
    static: flags.static === "drop" ? "drop" : "keep",
  };
  if (flags.static !== "keep" && flags.static !== "drop")
    problems.push(`--static ${flags.static}: must be keep or drop.`);
  return selection;
}

function readHosts(flag: string, texts: readonly string[], problems: string[]): HostPattern[] {
  const hosts = texts.flatMap((text) => text.split(",").map((host) => host.trim()));
  return hosts.flatMap((host) => understood(flag, host, parseHostPattern(host), problems));
}

function readPatterns(flag: string, texts: readonly string[], problems: string[]): Pattern[] {
  return texts.flatMap((text) => understood(flag, text, parsePattern(text), problems));
}

function understood<Value>(flag: string, text: string, parsed: Parsed<Value>, problems: string[]): Value[] {
  if ("value" in parsed) return [parsed.value];
  problems.push(`${flag} ${text}: ${parsed.problem}.`);
  return [];
}

/**
 * Returns a sentence for each output that would overwrite the capture, an existing file or another output.
 */
function pathProblems(
  capture: string | undefined,
  paths: ImportCommandOptions["paths"],
  force: boolean,
): string[] {
  const claimed = new ClaimedPaths(capture);
  return Object.entries(paths).flatMap(([flag, path]) => {
    const why = path === null ? null : (claimed.claim(path, flag) ?? whyNotFree(path, force));
    return why === null ? [] : [`${flag} ${path ?? ""}: ${why}.`];
  });
}
