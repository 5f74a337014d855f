import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { readDuration, readPositiveDuration } from "@bearhug/plan/test-file/quantities";
import { loadFlags, readRunOptions } from "@bearhug/plan/test-file/run-options";
import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { findLiveOutProblems, outKindOf, reportsOfResults } from "@bearhug/report/index";
import { createMask } from "@bearhug/text/secret-mask";
import { Option, type Command } from "commander";

import { addOptions, repeatableOption, switchOption } from "../options.ts";
import { filesOf, readRequests, type RequestFlags } from "../bench/bench-requests.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import {
  addLoadOptions,
  flagOption,
  envFromOption,
  envOption,
  oneLinerStopMs,
  readFlags,
  type LoadFlags,
} from "../load-options.ts";
import { addRequestOptions } from "../request-options.ts";
import type { SweepRequest, SweepSubject } from "./sweep-and-report.ts";
import { readSweepLoads, type SweepLoadFlags, type SweepLoads } from "./sweep-loads.ts";
import { isCapture, runFileProblem, testFileProblem } from "../command-line/test-file-problem.ts";
import { requestOptionsOfTest, unexpectedArgument, variantsOfSingleRuns } from "./request-option-problems.ts";

export type SweepFlags = Omit<LoadFlags, "target" | "vus" | "rate" | "duration" | "iterations"> &
  SweepLoadFlags &
  RequestFlags & {
    /** `name=url` */
    readonly target: readonly string[];
    readonly settle: string;
    readonly measure: string;
    readonly resume?: string;
  };

export function addSweepOptions(command: Command): Command {
  addOptions(command, "Load", [
    new Option("--vus <list>", "loads in virtual users: 6,12,25,50"),
    new Option("-c, --connections <list>", "loads in connections, for a URL: 6,12,25,50"),
    new Option("--rate <list>", "loads in iterations started per second: 100,200,400"),
    flagOption(loadFlags.arrivals),
    new Option("--from <n>", "lowest load").default(undefined, "1"),
    new Option("--to <n>", "highest load").default(undefined, "256"),
    switchOption("--double", "double the load at each step (the default)"),
    new Option("--add <n>", "add this much at each step instead"),
    new Option("--settle <time>", "apply each load for this long before measuring").default("2s"),
    new Option("--measure <time>", "measure each load for this long").default("5s"),
    new Option("--resume <path>", "continue the sweep in this result.json and update the file"),
  ]);
  addOptions(command, "Target and variables", [
    repeatableOption("--target <name=url>", "a URL, or a site for the test"),
  ]);
  addRequestOptions(command)
    .addOption(
      flagOption({
        flags: "--scenario <names>",
        help: "sweep this scenario of the test",
        topic: "Load",
        isRepeatable: true,
      }),
    )
    .addOption(envOption())
    .addOption(envFromOption());
  addLoadOptions(command, { reports: reportsOfResults });
  return hideRejected(command, ["--warmup", "--latency", "--variant", "--turn"]);
}

/** Reads the command line of a sweep. Adds a sentence to `problems` for each part that cannot be used. */
export function readSweep(
  given: readonly string[],
  { target, vus, rate, ...flags }: SweepFlags,
  problems: string[],
): SweepRequest {
  const [subject, ...others] = given;
  const isTest =
    subject !== undefined &&
    (subject === standardInput || isCapture(subject) || testFileProblem(subject) !== null);
  const file = isTest ? subject : null;
  const lists = { ...flags, ...(vus !== undefined && { vus }), ...(rate !== undefined && { rate }) };
  const loads = readSweepLoads(lists, !isTest, problems);
  const out = [...flags.out, ...resumedOut(flags)];
  const options = readFlags(
    { ...flags, out },
    { file: file ?? undefined, hasOwnMetrics: isTest, inputs: isTest ? [] : filesOf(flags) },
    problems,
  );
  const settleMs = readDuration("--settle", flags.settle, problems) ?? 0;
  const measureMs = readPositiveDuration("--measure", flags.measure, problems) ?? 1;
  problems.push(...unfitFlags(flags, loads), ...(isTest ? requestOptionsOfTest(flags) : []));
  if (isTest) problems.push(...others.map(unexpectedArgument));
  const targets = readTargets(target, problems);
  const subjects =
    file === null ? urlSubjects(given, targets, flags, problems) : testSubjects(file, targets, problems);
  return {
    ...loads,
    settleMs,
    measureMs,
    subjects,
    file,
    out,
    flags,
    options: { ...options, maxGracefulStopMs: isTest ? null : oneLinerStopMs },
    resume: flags.resume ?? null,
  };
}

/**
 * Returns the JSON report to update: a resumed sweep writes to the file that it reads, unless another is
 * given.
 */
function resumedOut({ out, resume }: Pick<SweepFlags, "out" | "resume">): string[] {
  return resume === undefined || out.some((text) => outKindOf(text) === "json") ? [] : [`json=${resume}`];
}

/** Returns a sentence for each option of a run that does not apply to a sweep. */
function unfitFlags(
  {
    out,
    warmup,
    latency,
    arrivals,
    variant,
  }: Pick<SweepFlags, "out" | "warmup" | "latency" | "arrivals" | "variant">,
  { loadUnit }: SweepLoads,
): string[] {
  return [
    ...findLiveOutProblems(out),
    ...variantsOfSingleRuns(variant),
    ...(warmup === undefined
      ? []
      : ["--warmup: a sweep warms up at every step; set how long with --settle."]),
    ...(latency ? ["--latency: a sweep shows p50, p90 and p99 of each step. Leave it out."] : []),
    ...(arrivals !== undefined && loadUnit !== "rate"
      ? ["--arrivals: needs arrival rates. Set them with --rate."]
      : []),
  ];
}

type NamedUrl = readonly [name: string, url: string];

function readTargets(texts: readonly string[], problems: string[]): NamedUrl[] {
  const targets = texts.flatMap((text): NamedUrl[] => {
    const [, name, url] = /^([^=:/]+)=(.+)$/s.exec(text) ?? [];
    if (name !== undefined && url !== undefined) return [[name, url]];
    problems.push(`--target ${text}: must be written NAME=URL.`);
    return [];
  });
  const names = targets.map(([name]) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  problems.push(
    ...Array.from(
      repeated,
      (name) => `--target ${name}: was given several times; give each target its own name.`,
    ),
  );
  return targets;
}

function urlSubjects(
  urls: readonly string[],
  targets: readonly NamedUrl[],
  flags: RequestFlags & Pick<SweepFlags, "scenario" | "env" | "envFile">,
  problems: string[],
): SweepSubject[] {
  const [url] = urls;
  if (url !== undefined && targets.length > 0)
    problems.push(`"${url}", --target: cannot be combined. Give each URL its own --target.`);
  if (flags.urls !== undefined && targets.length > 0)
    problems.push("--urls, --target: cannot be combined. Remove one of them.");
  const testOnlyFlags = [
    ...((flags.scenario ?? []).length > 0 ? ["--scenario"] : []),
    ...((flags.env ?? []).length > 0 ? ["--env"] : []),
    ...(flags.envFile === undefined ? [] : ["--env-from"]),
  ];
  if (testOnlyFlags.length > 0)
    problems.push(`${testOnlyFlags.join(", ")}: only for a test. Leave it out, or sweep a test file.`);
  const all =
    targets.length > 0 ? targets.map(([name, address]) => ({ name, urls: [address] })) : [{ name: "", urls }];
  // Name and address are in every report, so secrets in them are masked.
  const { hide } = createMask([]);
  const { urls: list, ...shared } = flags;
  const requestFlags = targets.length > 0 || list === undefined ? shared : flags;
  return all.map((one) => {
    const requests = readRequests(
      one.urls,
      requestFlags,
      problems,
      "<url|test> is missing. See bearhug sweep --help.",
    );
    const shown = describeRequests(requests, hide);
    return { name: one.name === "" ? shown : hide(one.name), address: shown, requests, target: null };
  });
}

function describeRequests([first, ...others]: readonly UrlRequest[], hide: (text: string) => string): string {
  const shown = hide(first?.url ?? "");
  return others.length === 0 ? shown : `${shown} and ${others.length} more`;
}

function testSubjects(file: string, targets: readonly NamedUrl[], problems: string[]): SweepSubject[] {
  const problem = runFileProblem(file);
  if (problem !== null) problems.push(problem);
  if (targets.length === 0) return [{ name: file, address: null, requests: null, target: null }];
  return targets.map(([name, address]) => {
    const { target } = readRunOptions({ target: address, seed: "0" }, problems);
    return { name, address: target?.origin ?? address, requests: null, target };
  });
}

/**
 * Rewords problems of a trial's plan for the user of a sweep, who set neither its duration nor its warm-up.
 */
export function rephraseForSweep(problems: readonly string[]): string[] {
  const rephrased = problems.map((problem) =>
    problem.replace(/^--(?:vus|rate)(?:, --\w+)*: the test/, "The test"),
  );
  // A warm-up problem concerns the test's own load, which another problem prevented from being replaced.
  const others = rephrased.filter((problem) => !problem.startsWith("warmup "));
  return others.length > 0 ? others : rephrased;
}
