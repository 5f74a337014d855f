import type { RecordedPlan, RecordedRun, RecordedShard } from "../run-record.ts";
import type { Part } from "./part.ts";

/** A part that can be merged. */
export interface ShardPart extends Part {
  readonly shard: RecordedShard;
  readonly plan: RecordedPlan;
}

export interface CheckedParts {
  /** In the order of their shards. */
  readonly parts: readonly ShardPart[];
  /** One sentence for each reason why the parts cannot be merged at all. */
  readonly refusals: readonly string[];
  /** One sentence for each reason why the parts are not one complete run. */
  readonly gaps: readonly string[];
}

/** Checks that the recordings are all parts of one run, and nothing else. */
export function checkParts(given: readonly Part[]): CheckedParts {
  const parts = given.flatMap((part) => {
    const { shard, plan } = part.run;
    return shard === null || plan === null ? [] : [{ ...part, shard, plan }];
  });
  parts.sort((left, right) => left.shard.index - right.shard.index);
  const others = given.filter(({ run }) => run.shard === null || run.plan === null);
  const refusals = others.map(
    ({ name }) =>
      `${name}: is not a part of a run: it was recorded without --shard, or its test could not be loaded.`,
  );
  const [first] = parts;
  if (first === undefined) return { parts, refusals, gaps: [] };
  return {
    parts,
    refusals: [...refusals, ...repeatedRuns(parts), ...otherMetrics(first, parts)],
    gaps: [...missingShards(first, parts), ...doubledShards(parts), ...differences(first, parts)],
  };
}

function numberOf({ shard }: ShardPart): string {
  return `shard ${shard.index + 1} of ${shard.count}`;
}

/** The same run given twice would count twice. */
function repeatedRuns(parts: readonly ShardPart[]): string[] {
  const keyOf = ({ run, shard }: ShardPart): string => `${run.beganAt} ${shard.index} ${run.environment.os}`;
  return parts.flatMap((part, index) => {
    const before = parts.slice(0, index).find((other) => keyOf(other) === keyOf(part));
    return before === undefined ? [] : [`${part.name}: is the same run as ${before.name}. Give it once.`];
  });
}

/** Samples of a metric that is declared differently cannot be added up. */
function otherMetrics(first: ShardPart, parts: readonly ShardPart[]): string[] {
  const declared = ({ plan }: ShardPart): string => JSON.stringify([plan.metrics, plan.clients]);
  return parts
    .filter((part) => declared(part) !== declared(first))
    .map(
      ({ name }) =>
        `${name}: declares other metrics than ${first.name}, so their samples cannot be added up.`,
    );
}

function missingShards(first: ShardPart, parts: readonly ShardPart[]): string[] {
  const { count } = first.shard;
  const present = new Set(parts.map(({ shard }) => shard.index));
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !present.has(index));
  if (missing.length === 0) return [];
  const numbers = missing.slice(0, mostNamed).map((index) => String(index + 1));
  const more = missing.length - numbers.length;
  const list = new Intl.ListFormat("en").format(more > 0 ? [...numbers, `${more} more`] : numbers);
  return missing.length === 1
    ? [`Shard ${list} of ${count} is missing.`]
    : [`Shards ${list} of ${count} are missing.`];
}

const mostNamed = 10;

function doubledShards(parts: readonly ShardPart[]): string[] {
  return parts.flatMap((part, index) => {
    const before = parts.slice(0, index).find(({ shard }) => shard.index === part.shard.index);
    return before === undefined ? [] : [`${part.name}: ${before.name} is ${numberOf(part)}, too.`];
  });
}

/** The facts that all shards of a run have in common. */
const common: readonly {
  readonly what: string;
  readonly of: (run: RecordedRun) => string | number | null | undefined;
  readonly told?: false;
}[] = [
  { what: "shard count", of: ({ shard }) => shard?.count },
  { what: "test or plan", of: ({ shard }) => shard?.testHash, told: false },
  { what: "seed", of: ({ plan }) => plan?.seed },
  { what: "start time (--start-at)", of: ({ shard }) => shard?.startAt },
  { what: "bearhug version", of: ({ tool }) => tool.version },
];

function differences(first: ShardPart, parts: readonly ShardPart[]): string[] {
  return parts.flatMap((part) =>
    common.flatMap(({ what, of, told }) => {
      const [own, others] = [of(part.run), of(first.run)];
      if (own === others) return [];
      const values = told === false ? "" : `: ${own ?? "none"} instead of ${others ?? "none"}`;
      return [`${part.name}: has another ${what} than ${first.name}${values}.`];
    }),
  );
}
