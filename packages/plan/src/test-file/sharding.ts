import type { Stripe } from "../pacing/stripe.ts";

/** One machine's part of a run that several machines share, and the time of their start. */
export interface Sharding {
  /** Null: this machine applies the whole load. */
  readonly shard: Stripe | null;
  /** The common start, in milliseconds since 1970; null to start as soon as possible. */
  readonly startAtMs: number | null;
  /** The shards that run setup and teardown; null if not given. */
  readonly setup: SetupPlace | null;
  /** True if a late start is not a failure. */
  readonly allowsPartial: boolean;
}

/**
 * The place of setup: each shard, or only the first one, which passes its data on through the machine that
 * leads the run, or in a file.
 */
export type SetupPlace = "each" | "lead" | { readonly file: string };

/** The options of sharding as written on the command line. */
export interface WrittenSharding {
  /** `2/3` or `auto` */
  readonly shard?: string;
  readonly startAt?: string;
  /** `each`, or a path */
  readonly shardSetup?: string;
  readonly allowPartial?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the options and adds a sentence to `problems` for each that cannot be used. */
export function readSharding(
  { shard, startAt, shardSetup, allowPartial = false }: WrittenSharding,
  environment: Environment,
  problems: string[],
): Sharding {
  if (shardSetup !== undefined && shard === undefined)
    problems.push("--shard-setup: only for a shard. Give --shard, too.");
  if (shardSetup === "") problems.push("--shard-setup: must be a path, or each.");
  return {
    shard: shard === undefined ? null : readShard(shard, environment, problems),
    startAtMs: startAt === undefined ? null : readStart(startAt, problems),
    setup: shardSetup === undefined || shardSetup === "each" ? (shardSetup ?? null) : { file: shardSetup },
    allowsPartial: allowPartial,
  };
}

/** The most shards of one run. */
const maxShards = 10_000;

function readShard(text: string, environment: Environment, problems: string[]): Stripe | null {
  if (text === "auto") return shardOfJob(environment, problems);
  const [, number, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(number) - 1, count: Number(count) };
  if (isShard(shard)) return shard;
  problems.push(
    `--shard ${text}: must be written NUMBER/COUNT, such as 1/3, 2/3 and 3/3, with at most ${maxShards} shards; or auto.`,
  );
  return null;
}

function isShard({ index, count }: Stripe): boolean {
  return count <= maxShards && index >= 0 && index < count;
}

/** Variables in which systems with parallel jobs give each job its number, and the number of jobs. */
const systems = [
  { index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1 },
  { index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: 0 },
  { index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0 },
  { index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS", first: 0 },
] as const;

function shardOfJob(environment: Environment, problems: string[]): Stripe | null {
  const system = systems.find(({ index, count }) => isSet(environment[index]) && isSet(environment[count]));
  if (system === undefined) {
    const pairs = systems.flatMap(({ index, count }) => [
      [index, count],
      [count, index],
    ]);
    const [given, missing] = pairs.find(([name = ""]) => isSet(environment[name])) ?? [];
    if (given !== undefined && missing !== undefined) {
      problems.push(
        `--shard auto: ${given} is set, but ${missing} is not. Set it, too, or write --shard 1/3.`,
      );
      return null;
    }
    const known = systems.map(({ index, count }) => `${index} and ${count}`);
    const list = new Intl.ListFormat("en", { type: "disjunction" }).format(known);
    problems.push(`--shard auto: needs the variables ${list}. Set them, or write --shard 1/3.`);
    return null;
  }
  const [index = "", count = ""] = [environment[system.index], environment[system.count]];
  const shard = { index: readNumber(index) - system.first, count: readNumber(count) };
  if (isShard(shard)) return shard;
  const last = shard.count - 1 + system.first;
  problems.push(
    isShard({ index: 0, count: shard.count })
      ? `--shard auto: ${system.index}=${index} must be a number from ${system.first} to ${last}, because ${system.count} is ${count}.`
      : `--shard auto: ${system.count}=${count} must be a number from 1 to ${maxShards}.`,
  );
  return null;
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

function readNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** A date and a time with its zone: without one, machines in different zones would start hours apart. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

function readStart(text: string, problems: string[]): number | null {
  const startAtMs = /^\d{13}$/.test(text) ? Number(text) : isoTime.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(startAtMs)) return startAtMs;
  problems.push(
    `--start-at ${text}: must be a time with its zone, such as 2026-12-01T09:00:00Z, or milliseconds since 1970.`,
  );
  return null;
}
