import { existsSync, realpathSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";

import {
  parseHostPattern,
  parsePattern,
  type HostPattern,
  type Parsed,
  type Pattern,
  type SelectOptions,
} from "@bearhug/har-import";

import { readPageRate } from "./page-rate.ts";

/** What the command understands, as it was written. */
export interface ImportFlags {
  readonly output?: string;
  readonly hosts: readonly string[];
  readonly skipHosts: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly static: string;
  readonly parameterize: boolean;
  readonly explain: boolean;
  readonly waterfall?: string;
  readonly redactHar?: string;
  readonly pagesPerSecond?: string;
  readonly force: boolean;
}

/** The same, read. */
export interface ImportCommandOptions {
  readonly select: SelectOptions;
  readonly pagesPerSecond: number | null;
  /** Files that were asked for by their names; data and variables go beside the first. Null: not asked for. */
  readonly paths: Readonly<Record<OutputFlag, string | null>>;
}

/** Options that name a file to write. */
export type OutputFlag = "-o" | "--waterfall" | "--redact-har";

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

/** Nothing is overwritten by a slip: not the capture, not a file of before, not one output by another. */
function pathProblems(
  capture: string | undefined,
  paths: ImportCommandOptions["paths"],
  force: boolean,
): string[] {
  const given = Object.entries(paths).flatMap(([flag, path]) => (path === null ? [] : [{ flag, path }]));
  return given.flatMap(({ flag, path }, index) => {
    const twin = given.slice(0, index).find((other) => isSameFile(other.path, path));
    const why = whyTaken(path, capture, twin?.flag) ?? whyNotFree(path, force);
    return why === null ? [] : [`${flag} ${path}: ${why}.`];
  });
}

function whyTaken(path: string, capture: string | undefined, twin: string | undefined): string | null {
  if (path === "" || path.endsWith("/")) return "must be the name of a file";
  if (capture !== undefined && isSameFile(capture, path)) return "is the capture itself";
  return twin === undefined ? null : `${twin} is written there already`;
}

/** Why a file cannot be written where its name says; null when it can, for all that is known before. */
export function whyNotFree(path: string, force: boolean): string | null {
  if (!existsSync(path)) return null;
  const kind = statSync(path);
  if (kind.isDirectory()) return "is a folder";
  return kind.isFile() && !force ? "is there already; --force replaces it" : null;
}

function isSameFile(left: string, right: string): boolean {
  return realPath(left) === realPath(right);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
