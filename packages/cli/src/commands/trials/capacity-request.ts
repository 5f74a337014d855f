import { loadUrl, type LoadedTest } from "@bearhug/engine/run/load-test";
import { parseObjectives, type ReadObjectives } from "@bearhug/engine/trials/capacity/read-objectives";
import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { unknownMonitor } from "@bearhug/plan/monitors/monitor-kinds";
import { readOverload } from "@bearhug/plan/test-file/overload";
import { maxVusLimit, readCount, readPositiveDuration, readRate } from "@bearhug/plan/test-file/quantities";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { findLiveOutProblems } from "@bearhug/report/index";

import { filesOf, readRequests, type RequestFlags } from "../bench/bench-requests.ts";
import { loadFile } from "../run/load-file.ts";
import { readFlags, type LoadFlags } from "../load-options.ts";
import { isCapture, runFileProblem } from "../command-line/test-file-problem.ts";
import { requestOptionsOfTest, unexpectedArgument, variantsOfSingleRuns } from "./request-option-problems.ts";

/** The flags of `bearhug capacity`, unparsed. */
export interface CapacityFlags extends LoadFlags, RequestFlags {
  readonly slo: readonly string[];
  readonly search: string;
  readonly minRate?: string;
  readonly maxRate?: string;
  readonly maxVus?: string;
  readonly budget: string;
  readonly precision: string;
  readonly atLeast?: string;
}

/** The parsed request for a search. */
export interface CapacityRequest extends ReadObjectives {
  readonly options: RunOptions;
  readonly unit: "rate" | "vus";
  readonly leastLoad: number;
  readonly mostLoad: number;
  readonly budgetMs: number;
  readonly precision: number;
  readonly atLeast: number | null;
  /** Null without an overload. */
  readonly overload: number | null;
  /** The test's file; null for a URL. */
  readonly file: string | null;
  readonly load: (warn: (text: string) => void) => Promise<LoadedTest>;
}

const minBudgetMs = 20_000;
const minStopMs = 5000;
/** Default bounds of the search, in iterations per second or virtual users. */
const defaultBounds = { rate: { least: 1, most: 100_000 }, vus: { least: 1, most: 10_000 } };

/** Parses the command line of a search. */
export function readCapacity(
  subjects: readonly string[],
  flags: CapacityFlags,
  problems: string[],
): CapacityRequest {
  const [subject = "", ...further] = subjects;
  const isFile = subject === standardInput || (subject !== "" && runFileProblem(subject) === null);
  const file = isFile ? subject : null;
  const { overload: factor, ...others } = flags;
  const options = readFlags(
    others,
    {
      file: file ?? undefined,
      hasOwnMetrics: isFile && !isCapture(subject),
      inputs: isFile ? [] : filesOf(flags),
    },
    problems,
  );
  if (flags.search !== "rate" && flags.search !== "vus")
    problems.push(`--search ${flags.search}: must be rate or vus.`);
  const unit = flags.search === "vus" ? "vus" : "rate";
  if (options.thresholds.length > 0)
    problems.push("--threshold: a search judges objectives; use --slo instead.");
  problems.push(...unfitFlags(flags, isFile));
  if (isFile) problems.push(...further.map(unexpectedArgument));
  const bounds = readBounds(flags, unit, problems);
  const maxVus = readCount("--max-vus", flags.maxVus, 1, problems);
  if (maxVus !== null && unit === "vus")
    problems.push("--max-vus: bounds a search for a rate. With --search vus, --max-rate is the most users.");
  const overload = readOverload(factor, problems);
  if (overload !== null && unit === "vus")
    problems.push(
      "--overload: exceeds a rate, so it cannot be combined with --search vus. Remove one of them.",
    );
  const judged = parseObjectives(flags.slo, problems);
  problems.push(...unmonitoredObjectives(judged, options));
  return {
    ...judged,
    options: {
      ...options,
      thresholds: [],
      vus: maxVus,
      arrivals: unit === "rate" ? "poisson" : null,
      maxGracefulStopMs: longestStop(judged),
    },
    unit,
    ...bounds,
    overload,
    budgetMs: readBudget(flags.budget, problems),
    precision: readPrecision(flags.precision, problems),
    file,
    load: isFile ? (warn) => loadFile(subject, options, warn) : loadAddresses(subjects, flags, problems),
  };
}

/** Returns a sentence for each option that a search would ignore. */
function unfitFlags(flags: CapacityFlags, isFile: boolean): string[] {
  const { out, warmup, latency, target } = flags;
  return [
    ...findLiveOutProblems(out, "capacity"),
    ...(isFile ? requestOptionsOfTest(flags) : []),
    ...(isFile || target === undefined ? [] : ["--target: only for a test; give that URL instead."]),
    ...(warmup === undefined ? [] : ["--warmup: a search warms up at every trial. Leave it out."]),
    ...variantsOfSingleRuns(flags.variant),
    ...(flags.strictGenerator
      ? ["--strict-generator: a search never counts a trial with a saturated generator. Remove this option."]
      : []),
    ...judgingOptions(flags),
    ...(latency ? ["--latency: a search shows the p99 of each trial. Leave it out."] : []),
  ];
}

/**
 * Returns a sentence for each option that judges a run. `--allow-saturated` is not among them: it may be set
 * for all commands, and trials with a saturated generator never count anyway.
 */
function judgingOptions({ maxFailed, expectFailures }: CapacityFlags): string[] {
  const given = [
    ...(maxFailed === undefined ? [] : ["--max-failed"]),
    ...(expectFailures === true ? ["--expect-failures"] : []),
  ];
  return given.map((flag) => `${flag}: a search judges its objectives alone. Use --slo.`);
}

function unmonitoredObjectives({ objectives }: ReadObjectives, { monitors }: RunOptions): string[] {
  return objectives.flatMap(({ text, metric }) => {
    const monitor = readGaugeName(metric)?.monitor;
    if (monitor === undefined || monitors.some(({ name }) => name === monitor)) return [];
    return [`--slo "${text}": ${unknownMonitor(monitor)}`];
  });
}

/** Returns the graceful stop of a trial, after which a response is late by any objective. */
function longestStop({ objectives }: ReadObjectives): number {
  const limits = objectives.map(({ judges, bound, limitMs, gaugeUnit }) =>
    judges === "mean" && gaugeUnit === undefined ? bound : (limitMs ?? 0),
  );
  return Math.max(minStopMs, ...limits.map((limit) => limit * 2));
}

function loadAddresses(
  urls: readonly string[],
  flags: RequestFlags,
  problems: string[],
): CapacityRequest["load"] {
  const requests = readRequests(urls, flags, problems, "<url|test> is missing. See bearhug capacity --help.");
  return () => Promise.resolve(loadUrl(...requests));
}

/** Parses the bounds of a search, and the load that it must reach. */
function readBounds(
  { minRate, maxRate, atLeast: atLeastText }: CapacityFlags,
  unit: CapacityRequest["unit"],
  problems: string[],
): Pick<CapacityRequest, "leastLoad" | "mostLoad" | "atLeast"> {
  const read = (flag: string, text: string | undefined): number | null =>
    readLoad(flag, text, unit, problems);
  const leastLoad = read("--min-rate", minRate) ?? defaultBounds[unit].least;
  const mostLoad = read("--max-rate", maxRate) ?? defaultBounds[unit].most;
  if (leastLoad >= mostLoad) problems.push(`--max-rate: must be higher than --min-rate (${leastLoad}).`);
  const atLeast = read("--at-least", atLeastText);
  if (atLeast !== null && (atLeast < leastLoad || atLeast > mostLoad))
    problems.push(
      `--at-least ${atLeastText}: must lie between ${leastLoad} and ${mostLoad}, the loads to try.`,
    );
  return { leastLoad, mostLoad, atLeast };
}

function readLoad(
  flag: string,
  text: string | undefined,
  unit: "rate" | "vus",
  problems: string[],
): number | null {
  const rate = readRate(flag, text, problems);
  if (rate === null) return null;
  const perSecond = (rate.count * 1000) / rate.timeUnitMs;
  if (unit === "rate") return perSecond;
  if (Number.isInteger(perSecond) && perSecond <= maxVusLimit) return perSecond;
  problems.push(`${flag} ${text}: must be a whole number of virtual users, at most ${maxVusLimit}.`);
  return null;
}

function readBudget(text: string, problems: string[]): number {
  const budgetMs = readPositiveDuration("--budget", text, problems) ?? minBudgetMs;
  if (budgetMs < minBudgetMs)
    problems.push(
      `--budget ${text}: must be at least ${minBudgetMs / 1000}s; a few minutes give a better answer.`,
    );
  return budgetMs;
}

function readPrecision(text: string, problems: string[]): number {
  const [, digits = ""] = /^(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  const share = Number(digits) / 100;
  if (digits !== "" && share >= 0.005 && share <= 0.2) return share;
  problems.push(`--precision ${text}: must be a share from 0.5% to 20%.`);
  return 0.025;
}
