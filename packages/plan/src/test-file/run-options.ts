import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";

import { tagNameProblem } from "../validation/name-rules.ts";
import {
  type MonitorRequest,
  monitorTokenVariable,
  readMonitors,
  type WrittenMonitors,
} from "../monitors/monitor-kinds.ts";
import type { JudgingOptions, PlannedOptions } from "../protocol/plan.ts";
import type { Variant } from "../protocol/variants.ts";
import {
  readCount,
  readDataSize,
  readShare,
  readDuration,
  readLinkSpeed,
  readPositiveDuration,
  readRate,
} from "./quantities.ts";
import type { ArrivalRate } from "../executors/constant-arrival-rate.ts";
import { type Flag, type HttpFlags, readHttpFlags, type WrittenHttp } from "./http-flags.ts";
import { type Limits, readLimits, type WrittenLimits } from "./limits.ts";
import { overloadProblems, readOverload } from "./overload.ts";
import { readVariants } from "./read-variants.ts";
import { parseEnvFile } from "./read-env.ts";
import { readSharding, type Sharding, type WrittenSharding } from "./sharding.ts";
import { readThresholdOption } from "./thresholds.ts";

/** A shorter turn would end before its first responses arrive. */
const shortestTurnMs = 20;

/** Options of a run as written on the command line or in `BEARHUG_…` variables. */
export interface WrittenOptions extends WrittenHttp, WrittenMonitors, WrittenSharding, WrittenLimits {
  readonly target?: string;
  readonly vus?: string;
  readonly duration?: string;
  readonly iterations?: string;
  /** `500`, `500/s`, `30k/m` */
  readonly rate?: string;
  readonly arrivals?: string;
  readonly overload?: string;
  /** Names; each text may list several, separated by commas. */
  readonly scenario?: readonly string[];
  /** `K=V` */
  readonly env?: readonly string[];
  readonly envFile?: string;
  /** `K=V` */
  readonly tag?: readonly string[];
  /** `metric: expression` */
  readonly threshold?: readonly string[];
  /** The run ends as soon as a threshold of `threshold` fails. */
  readonly abortOnFail?: boolean;
  readonly workers?: string;
  readonly seed?: string;
  readonly link?: string;
  readonly warmup?: string;
  readonly maxData?: string;
  /** `5%` */
  readonly maxFailed?: string;
  readonly expectFailures?: boolean;
  readonly allowSaturated?: boolean;
  readonly strictGenerator?: boolean;
  /** `NAME=CHANGE` */
  readonly variant?: readonly string[];
  readonly turn?: string;
}

export type Arrivals = "uniform" | "poisson";

/** The commands that get a flag, by the function of `cli/commands/load-options.ts` that adds it. */
export type FlagUsers =
  /** Commands that run or check a test: `addPlanOptions`. */
  | "test"
  /** These, and those that compare variants of a test: `addOverrideOptions`. */
  | "override"
  /** Commands that apply load: `addLoadOptions`. */
  | "all"
  /** Commands that apply one machine's part of a load: `addShardOptions`. */
  | "shard"
  /** None of these: a command adds the flag itself. */
  | "none";

interface LoadFlag extends Flag {
  readonly of: FlagUsers;
}

type LoadFlagName = Exclude<keyof WrittenOptions, keyof WrittenHttp | keyof WrittenMonitors | "envFile">;

/** The flags of `WrittenOptions`, besides those of requests and monitors, in the order of help. */
export const loadFlags: Readonly<Record<LoadFlagName, LoadFlag>> = {
  target: {
    flags: "--target <url>",
    help: "load this site instead of the test's baseUrl",
    topic: "Target and variables",
    of: "test",
  },
  vus: { flags: "-u, --vus <n>", help: "virtual users", topic: "Load", of: "override" },
  duration: {
    flags: "-d, --duration <time>",
    help: "duration of the load: 30s, 5m",
    topic: "Load",
    of: "override",
  },
  iterations: {
    flags: "-i, --iterations <n>",
    help: "total iterations, shared by the VUs",
    topic: "Load",
    of: "override",
  },
  rate: {
    flags: "--rate <rate>",
    help: "iterations to start, however slow the target is: 500, 500/s, 30k/m",
    topic: "Load",
    of: "override",
  },
  arrivals: {
    flags: "--arrivals <kind>",
    help: "spacing of arrivals at a rate: uniform, or poisson (as real users)",
    topic: "Load",
    of: "override",
  },
  scenario: {
    flags: "--scenario <names>",
    help: "run only these scenarios: browse,buy",
    topic: "Load",
    of: "override",
    isRepeatable: true,
    usually: "all",
  },
  env: {
    flags: "-e, --env <name=value>",
    help: "set a variable that the test declares, which it reads from env",
    topic: "Target and variables",
    of: "override",
    isRepeatable: true,
  },
  limitHosts: {
    flags: "--limit-hosts <hosts>",
    help: "refuse a test that may contact other hosts: 127.0.0.1,staging.example",
    topic: "Limits",
    of: "override",
    isRepeatable: true,
  },
  limitVus: {
    flags: "--limit-vus <n>",
    help: "refuse a test with more virtual users",
    topic: "Limits",
    of: "override",
  },
  limitDuration: {
    flags: "--limit-duration <time>",
    help: "refuse a test that may run for longer: 2m",
    topic: "Limits",
    of: "override",
  },
  overload: {
    flags: "--overload <factor>",
    help: "for a third of the run, multiply --rate by this factor: 1.5",
    topic: "Load",
    of: "none",
  },
  shard: {
    flags: "--shard <n/count>",
    help: "apply one of several equal parts of the load: 2/3; or auto",
    topic: "Several machines",
    of: "shard",
  },
  startAt: {
    flags: "--start-at <time>",
    help: "start at this time, the same on every shard: 2026-12-01T09:00:00Z",
    topic: "Several machines",
    of: "shard",
  },
  shardSetup: {
    flags: "--shard-setup <file>",
    help: 'file in which shard 1 passes its setup data to the others; or "each" to run setup on every shard',
    topic: "Several machines",
    of: "shard",
  },
  allowPartial: {
    flags: "--allow-partial",
    help: "accept a start more than a second after --start-at",
    topic: "Several machines",
    of: "shard",
  },
  workers: {
    flags: "-t, --workers <n>",
    help: "worker threads; 0 runs in the main thread, for debugging",
    topic: "This machine",
    of: "all",
  },
  warmup: {
    flags: "--warmup <time>",
    help: "leave the first part of the load unmeasured: 10s",
    topic: "Load",
    of: "all",
  },
  maxData: {
    flags: "--max-data <size>",
    help: "stop gracefully after receiving this much data: 10GB",
    topic: "Load",
    of: "all",
  },
  variant: {
    flags: "--variant <name=change>",
    help: "compare variants that take turns: gzip='Accept-Encoding: gzip', or min=/index.min.html",
    topic: "Compare variants",
    of: "all",
    isRepeatable: true,
  },
  turn: {
    flags: "--turn <time>",
    help: "how long each variant gets requests before the next one: 500ms",
    topic: "Compare variants",
    of: "all",
  },
  seed: { flags: "--seed <n>", help: "random seed, to repeat a run", topic: "Load", of: "all" },
  link: {
    flags: "--link <speed>",
    help: "speed of the network link, to warn when it is nearly full: 900Mbps, 1Gbps",
    topic: "This machine",
    of: "all",
  },
  tag: {
    flags: "--tag <name=value>",
    help: "tag every sample, to group and filter by: team=shop",
    topic: "Output",
    of: "all",
    isRepeatable: true,
  },
  threshold: {
    flags: "--threshold <metric: expression>",
    help: 'fail unless this holds: "http_req_duration: p(95)<300ms"',
    topic: "Pass or fail",
    of: "all",
    isRepeatable: true,
  },
  abortOnFail: {
    flags: "--abort-on-fail",
    help: "end the run as soon as a --threshold fails",
    topic: "Pass or fail",
    of: "all",
  },
  maxFailed: {
    flags: "--max-failed <share>",
    help: "limit of failed requests and iterations without a threshold: 5%",
    topic: "Pass or fail",
    of: "all",
  },
  expectFailures: {
    flags: "--expect-failures",
    help: "accept requests that all fail, and a target that goes away",
    topic: "Pass or fail",
    of: "all",
  },
  allowSaturated: {
    flags: "--allow-saturated",
    help: "judge times and rates even if the load generator was saturated",
    topic: "Pass or fail",
    of: "all",
  },
  strictGenerator: {
    flags: "--strict-generator",
    help: "exit with 112 if the load generator was saturated",
    topic: "Pass or fail",
    of: "all",
  },
};

/** The options of a run in parsed form; null or empty if not given. */
export interface RunOptions extends PlannedOptions {
  readonly target: URL | null;
  readonly vus: number | null;
  readonly durationMs: number | null;
  readonly iterations: number | null;
  /**
   * Iterations to start, over all workers, however slow the target is: turns a scenario into an open model.
   */
  readonly rate: ArrivalRate | null;
  readonly arrivals: Arrivals | null;
  /** The load above the rate, as a multiple of it; null for a load that stays at its rate. */
  readonly overload: number | null;
  /** Empty: all. */
  readonly scenarios: readonly string[];
  /** Variables of the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the file that `--env-from` names; it may contain more than the test declares. */
  readonly envFile: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly thresholds: readonly ValidatedThreshold[];
  /** 0: run in this thread. */
  readonly workers: number | null;
  /** The bandwidth to the target, in each direction. */
  readonly linkBitsPerSecond: number | null;
  /** Servers and processes to read while the load is applied. */
  readonly monitors: readonly MonitorRequest[];
  /** Null: as the test sets it. */
  readonly warmupMs: number | null;
  /** Requests may fail and the target may go away; false: as the test sets it. */
  readonly expectsFailures: boolean;
  /** True if a saturated load generator fails the run. */
  readonly isStrictGenerator: boolean;
  /**
   * The most time that iterations may take to end after the load, if the command limits it; null:
   * as the test sets it.
   */
  readonly maxGracefulStopMs: number | null;
  /** The variants that take turns, in the order of the report; empty for none. */
  readonly variants: readonly Variant[];
  /** Null: follows from the duration of the load. */
  readonly turnMs: number | null;
  readonly sharding: Sharding;
  readonly limits: Limits;
  /** Overrides the `http` options of the test and of its scenarios. */
  readonly http: HttpFlags;
}

/** Reads every option and adds a sentence to `problems` for each that cannot be used. */
export function readRunOptions(written: WrittenOptions, problems: string[]): RunOptions {
  const count = (flag: string, text: string | undefined, least: number): number | null =>
    readCount(flag, text, least, problems);
  const options = {
    target: readTarget(written.target, problems),
    vus: count("--vus", written.vus, 1),
    durationMs: readPositiveDuration("--duration", written.duration, problems),
    iterations: count("--iterations", written.iterations, 1),
    rate: readRate("--rate", written.rate, problems),
    arrivals: readArrivals(written.arrivals, problems),
    overload: readOverload(written.overload, problems),
    scenarios: readScenarioNames(written.scenario ?? [], problems),
    env: readPairs("--env", written.env ?? [], problems),
    envFile: written.envFile === undefined ? {} : parseEnvFile(written.envFile, problems),
    tags: readTags(written.tag ?? [], problems),
    thresholds: readThresholds(written, problems),
    sharedConnections: null,
    workers: count("--workers", written.workers, 0),
    seed: count("--seed", written.seed, 0) ?? defaultSeed(written),
    linkBitsPerSecond: readLinkSpeed(written.link, problems),
    monitors: readMonitors(written, process.env[monitorTokenVariable] ?? null, problems),
    warmupMs: readDuration("--warmup", written.warmup, problems),
    variants: readVariants(written.variant ?? [], problems),
    turnMs: readTurn(written, problems),
    ...readJudging(written, problems),
    expectsFailures: written.expectFailures === true,
    isStrictGenerator: written.strictGenerator === true,
    maxDataBytes: readDataSize("--max-data", written.maxData, problems),
    maxGracefulStopMs: null,
    sharding: readSharding(written, process.env, problems),
    limits: readLimits(written, problems),
    http: readHttpFlags(written, problems),
  };
  problems.push(...overloadProblems(options));
  return options;
}

/** Returns the options that the plan takes over as they are. */
export function plannedOptions(options: RunOptions): PlannedOptions {
  const { seed, sharedConnections, maxDataBytes, judging } = options;
  return { seed, sharedConnections, maxDataBytes, ...(judging && { judging }) };
}

/** Returns the options for the verdict; absent if none was given. */
function readJudging(
  { maxFailed: share, allowSaturated = false }: WrittenOptions,
  problems: string[],
): Pick<PlannedOptions, "judging"> {
  const maxFailed = readShare("--max-failed", share, problems);
  const judging: JudgingOptions = {
    ...(maxFailed === null ? {} : { maxFailed }),
    ...(allowSaturated ? { allowsSaturated: true } : {}),
  };
  return maxFailed === null && !allowSaturated ? {} : { judging };
}

/** All shards of a run need the same seed. */
function defaultSeed({ shard }: WrittenOptions): number {
  return shard === undefined ? Math.floor(Math.random() * 2 ** 32) : 1;
}

function readArrivals(text: string | undefined, problems: string[]): Arrivals | null {
  if (text === undefined || text === "uniform" || text === "poisson") return text ?? null;
  problems.push(`--arrivals ${text}: must be uniform or poisson.`);
  return null;
}

function readTarget(text: string | undefined, problems: string[]): URL | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) {
    if (url.pathname === "/" && url.search === "") return url;
    problems.push(`--target ${text}: must not have a path; requests keep the paths in the test.`);
    return null;
  }
  problems.push(`--target ${text}: must be an address such as http://127.0.0.1:8080.`);
  return null;
}

function readTurn({ turn, variant = [] }: WrittenOptions, problems: string[]): number | null {
  const turnMs = readPositiveDuration("--turn", turn, problems);
  if (turn !== undefined && variant.length === 0)
    problems.push("--turn: sets how long variants take turns, but there are none. Give them with --variant.");
  if (turnMs !== null && turnMs < shortestTurnMs)
    problems.push(`--turn ${turn}: is too short to measure in. Use ${shortestTurnMs}ms or more.`);
  return turnMs;
}

/** Refuses the names that the `tags` of a test refuse, such as those of built-in tags. */
function readTags(texts: readonly string[], problems: string[]): Record<string, string> {
  const tags = readPairs("--tag", texts, problems);
  for (const name of Object.keys(tags)) {
    const problem = tagNameProblem(name);
    if (problem !== undefined) problems.push(`--tag ${name}: ${problem}.`);
  }
  return tags;
}

function readPairs(flag: string, texts: readonly string[], problems: string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      problems.push(`${flag} ${text}: must be written NAME=VALUE.`);
    else if (pairs.has(name)) problems.push(`${flag} ${name}: was given several times; give it once.`);
    else pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}

/** Each text may list several names, separated by commas. */
function readScenarioNames(texts: readonly string[], problems: string[]): string[] {
  const names = texts.flatMap((text) => text.split(",").map((name) => name.trim()));
  if (names.includes("")) problems.push(`--scenario ${texts.join(",")}: a name is missing.`);
  return [...new Set(names.filter((name) => name !== ""))];
}

function readThresholds(
  { threshold = [], abortOnFail = false }: WrittenOptions,
  problems: string[],
): ValidatedThreshold[] {
  if (abortOnFail && threshold.length === 0) {
    problems.push(
      "--abort-on-fail: has no effect without --threshold. A test's own thresholds have abortOnFail.",
    );
  }
  return threshold.flatMap((text) => {
    const read = readThresholdOption(text, problems);
    return read === undefined ? [] : [{ ...read, abortOnFail }];
  });
}
