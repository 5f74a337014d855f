import { formatCounted } from "@bearhug/text/number";

import { allowHint, type NamedRun } from "./comparable.ts";

/** Reasons to leave comparable runs undecided. */
export interface Doubts {
  /** One sentence for each reason. */
  readonly reasons: readonly string[];
  /** One sentence for each load generator that did not keep up and is accepted. */
  readonly accepted: readonly string[];
  /** The figures that stay undecided: all, or those that measure time. */
  readonly about: "all" | "times" | "none";
}

/** The differences that are accepted. */
export interface Accepted {
  readonly isAnyMachine: boolean;
  readonly isAnyGenerator: boolean;
}

/**
 * Finds reasons to doubt the times of runs: different machines, and load generators that did not keep up. A
 * strained generator sent all requests, so failures are still judged. It delays targets that take turns
 * equally, so their times are judged, too.
 */
export function findDoubts(
  runs: readonly NamedRun[],
  isOfTurns: boolean,
  { isAnyMachine, isAnyGenerator }: Accepted,
): Doubts {
  const machines = isAnyMachine ? [] : findOtherMachines(runs);
  const unfit = findUnfitGenerators(runs).filter(({ verdict }) => !isOfTurns || verdict === "saturated");
  const sentences = unfit.map(({ sentence }) => sentence);
  if (isAnyGenerator)
    return { reasons: machines, accepted: sentences, about: machines.length > 0 ? "all" : "none" };
  const isForAll = machines.length > 0 || unfit.some(({ verdict }) => verdict === "saturated");
  return {
    reasons: [...machines, ...sentences.map((sentence) => `${sentence} ${allowHint("generator")}`)],
    accepted: [],
    about: isForAll ? "all" : unfit.length > 0 ? "times" : "none",
  };
}

/** Returns a sentence for the first difference of the machines that affects times. */
function findOtherMachines(runs: readonly NamedRun[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const found = others.flatMap((other) => {
    const [one, two] = [first.result.environment, other.result.environment];
    if (one.cpu !== undefined && two.cpu !== undefined && one.cpu !== two.cpu)
      return [`${first.name} ran on ${one.cpu}, ${other.name} on ${two.cpu}. ${otherMachines}`];
    if (one.cores !== two.cores)
      return [`${first.name} ran on ${one.cores} cores, ${other.name} on ${two.cores}. ${otherMachines}`];
    return [];
  });
  return found.slice(0, 1);
}

const otherMachines = `Times of different machines cannot be compared. ${allowHint("machine")}`;

/** The load generator of a run that did not keep up, and a sentence that explains why. */
interface UnfitGenerator {
  readonly verdict: "strained" | "saturated";
  readonly sentence: string;
}

function findUnfitGenerators(runs: readonly NamedRun[]): UnfitGenerator[] {
  const unfit = runs.flatMap(({ name, result: { generator } }) => {
    const { verdict, reasons } = generator;
    if (verdict === "healthy") return [];
    const [first] = reasons;
    const why = first === undefined ? "" : `: ${first}${moreReasons(reasons.length - 1)}`;
    const origin = verdict === "strained" ? "may be partly the generator's own" : "are the generator's own";
    const sentence = `In ${name} the load generator was ${verdict}, so its times ${origin}${why}.`;
    return [{ name, verdict, sentence }];
  });
  // Both sides of turns are the same run.
  return unfit.filter(({ name }, at) => unfit.findIndex((one) => one.name === name) === at);
}

function moreReasons(count: number): string {
  return count === 0 ? "" : `; and ${formatCounted(count, "more reason")}`;
}
