import { capitalized } from "@bearhug/text/capitalized";

import type { RecordedRun } from "../run-record.ts";
import type { PartHead, ShardHead } from "./part.ts";

/** Problems of inputs that are to be merged. */
export interface MergeProblems {
  /** A sentence for each reason why they cannot be merged at all. */
  readonly refusals: readonly string[];
  readonly gaps: readonly Gap[];
}

export interface CheckedParts<Given extends PartHead = PartHead> extends MergeProblems {
  /** Ordered by shard. */
  readonly parts: readonly (Given & ShardHead)[];
}

/** A reason why inputs are not one complete run. */
export interface Gap {
  readonly reason: string;
  /** The same as a complete sentence. */
  readonly sentence: string;
}

export function gapOfRun(reason: string): Gap {
  return { reason, sentence: `${capitalized(reason)}.` };
}

/** Makes a gap whose reason begins with the name of an input. */
export function gapOfInput(reason: string): Gap {
  return { reason, sentence: `${reason}.` };
}

/** Checks that the recordings are all parts of one run. */
export function checkParts<Given extends PartHead>(given: readonly Given[]): CheckedParts<Given> {
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
  const repeated = pairsWithFirst(parts, keyOfRun);
  const runs = parts.filter((part) => !repeated.some(([again]) => again === part));
  return {
    parts,
    refusals: [...refusals, ...repeated.map(describeRepeated), ...otherMetrics(first, runs)],
    gaps: [...missingShards(first, runs), ...duplicateShards(runs), ...differences(first, runs)],
  };
}

function numberOf({ shard }: ShardHead): string {
  return `shard ${shard.index + 1} of ${shard.count}`;
}

function keyOfRun({ run, shard }: ShardHead): string {
  return `${run.beganAt} ${shard.index} ${run.environment.os}`;
}

/** Describes an input that is the same run as another and would count twice. */
function describeRepeated([part, before]: readonly [ShardHead, ShardHead]): string {
  return part.name === before.name
    ? `${part.name}: was given twice. Give it once.`
    : `${part.name}: is the same run as ${before.name}. Give only one of them.`;
}

/** Returns each part whose key an earlier one has, paired with the first that has it. */
function pairsWithFirst<Part extends ShardHead>(
  parts: readonly Part[],
  keyOf: (part: Part) => string | number,
): (readonly [Part, Part])[] {
  const firsts = new Map<string | number, Part>();
  return parts.flatMap((part) => {
    const key = keyOf(part);
    const before = firsts.get(key);
    if (before !== undefined) return [[part, before] as const];
    firsts.set(key, part);
    return [];
  });
}

/** Finds parts that declare metrics differently, so that samples cannot be added up. */
function otherMetrics(first: ShardHead, parts: readonly ShardHead[]): string[] {
  const declared = ({ plan }: ShardHead): string => JSON.stringify([plan.metrics, plan.clients]);
  const wanted = declared(first);
  return parts
    .filter((part) => declared(part) !== wanted)
    .map(
      ({ name }) =>
        `${name}: declares other metrics than ${first.name}, so their samples cannot be added up.`,
    );
}

function missingShards(first: ShardHead, parts: readonly ShardHead[]): Gap[] {
  const { count } = first.shard;
  const present = new Set(parts.map(({ shard }) => shard.index));
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !present.has(index));
  if (missing.length === 0) return [];
  const numbers = missing.slice(0, maxNamed).map((index) => String(index + 1));
  const more = missing.length - numbers.length;
  const list = new Intl.ListFormat("en").format(more > 0 ? [...numbers, `${more} more`] : numbers);
  return missing.length === 1
    ? [gapOfRun(`shard ${list} of ${count} is missing`)]
    : [gapOfRun(`shards ${list} of ${count} are missing`)];
}

const maxNamed = 10;

function duplicateShards(parts: readonly ShardHead[]): Gap[] {
  return pairsWithFirst(parts, ({ shard }) => shard.index).map(([part, before]) =>
    gapOfInput(`${before.name} and ${part.name} are both ${numberOf(part)}. Give only one`),
  );
}

/** The options that change how failures are judged, in sentences about inputs that differ in them. */
export const judgingOptions = "limit (--max-failed or --allow-saturated)";

/** The facts that all shards of a run must have in common. */
const common: readonly {
  readonly what: string;
  readonly of: (run: RecordedRun) => string | number | null | undefined;
  readonly isShown?: false;
}[] = [
  { what: "shard count", of: ({ shard }) => shard?.count },
  { what: "test or plan", of: ({ shard }) => shard?.testHash, isShown: false },
  { what: judgingOptions, of: ({ plan }) => JSON.stringify(plan?.judging), isShown: false },
  { what: "seed", of: ({ plan }) => plan?.seed },
  { what: "start time (--start-at)", of: ({ shard }) => shard?.startAt },
  { what: "bearhug version", of: ({ tool }) => tool.version },
];

function differences(first: ShardHead, parts: readonly ShardHead[]): Gap[] {
  return parts.flatMap((part) =>
    common.flatMap(({ what, of, isShown }) => {
      const [own, others] = [of(part.run), of(first.run)];
      if (own === others) return [];
      const values = isShown === false ? "" : `: ${own ?? "none"} instead of ${others ?? "none"}`;
      return [gapOfInput(`${part.name}: has another ${what} than ${first.name}${values}`)];
    }),
  );
}
