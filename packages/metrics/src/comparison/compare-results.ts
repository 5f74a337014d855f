import type { TestResult } from "@bearhug/sdk";
import { executors } from "@bearhug/sdk/internal";
import type { ComparedFigure, ComparedSide, ComparisonAnswer, ComparisonResult } from "@bearhug/sdk/result";

import { aggregationName } from "../thresholds/threshold-language.ts";
import { formatTolerance } from "./change.ts";
import { generatorSaturated, isThresholdFailure } from "../results/reason-words.ts";
import { curvesOf } from "../run-curves.ts";
import type { BadTimes } from "./bad-spans.ts";
import { chooseFigures, exploratoryFigures, figureName, type ChosenFigure } from "./choose-figures.ts";
import { thisRun, type NamedRun } from "./comparable.ts";
import { compareSides, type Conditions, type SidedChange } from "./compare-sides.ts";
import { describeEqualShares, findEqualShares, type EqualShares } from "./equal-shares.ts";
import { findOneSided } from "./find-one-sided.ts";
import { findOtherResponses, type AcceptedResponses, type OtherResponses } from "./find-other-responses.ts";
import { findOutages } from "./find-outages.ts";
import { findSlowdowns } from "./find-slowdowns.ts";
import { describeDependence, describeVerdict } from "./describe-verdict.ts";
import { findDoubts, type Accepted, type Doubts } from "./find-doubts.ts";
import { intervalOf, judgeChanges, type JudgedChange } from "./judge-changes.ts";
import { monitoredFigures } from "./monitored-figures.ts";
import { FigureReader, type ReadFigure } from "./read-figure.ts";
import { sumBy } from "../sum.ts";

/** The changes for the worse that are accepted, and the variation to expect between equal runs. */
export interface ComparisonRules extends Accepted, AcceptedResponses {
  /** A share: 0.05 for 5 %. */
  readonly tolerance: number;
  /** For rates, as a difference of shares. */
  readonly rateTolerance: number;
  /** Two runs of the same thing differ by up to this share in 19 of 20 cases. */
  readonly runNoise: number;
  readonly failsOnUndecided: boolean;
}

/** The program that compares. */
export interface Comparer {
  readonly tool: ComparisonResult["tool"];
  /**
   * Returns a new stream of random numbers for each figure, so that a figure does not depend on
   * which others there are.
   */
  readonly random: () => () => number;
  /** The exit code of a regression. */
  readonly failedCode: number;
}

/** Compares the runs of two sides. The same input produces the same document. */
export function compareResults(
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  rules: ComparisonRules,
  { tool, random, failedCode }: Comparer,
): ComparisonResult {
  const latest = other.at(-1)?.result ?? base.at(-1)?.result;
  if (latest === undefined) throw new TypeError("nothing to compare");
  const { figures: chosen, leftOut } = chooseFigures(
    latest,
    [...base, ...other].map(({ result }) => result),
  );
  const reader = new FigureReader();
  const compare = (draws: number) => (figure: ChosenFigure) =>
    compareFigure(figure, { base, other, reader }, { ...rules, draws, random: random() });
  const isOfTurns = other.some(({ variant }) => variant !== undefined);
  const doubts = findDoubts([...base, ...other], isOfTurns, rules);
  const outages = findOutages(base, other);
  const slowdowns = doubts.about === "none" ? findSlowdowns(base, other) : none;
  const bad: BadTimes = {
    base: [...outages.base, ...slowdowns.base],
    other: [...outages.other, ...slowdowns.other],
  };
  const deciding = chosen.map(compare(decidingDraws));
  const equal = deciding.flatMap(({ equal: found, figure }) =>
    found === null ? [] : describeEqualShares(figureName(figure), found, rules.rateTolerance),
  );
  const otherResponses = findOtherResponses(base, other, rules);
  const figures = withOtherResponses(withBadTimes(judge(deciding, doubts.about), bad), otherResponses);
  const exploratory = exploratoryFigures(latest, chosen)
    .map(compare(exploratoryDraws))
    .filter(({ change, equal: found }) => change !== null || found !== null)
    .map((one) => describe(one, { answer: null, interval: shownInterval(one) }));
  // A stalled load generator makes runs look silent, but does not make turns fail.
  const wasDown = outages.other.length > 0 && (isOfTurns || doubts.about !== "all");
  const verdict = wasDown || slowdowns.other.length > 0 ? "regressed" : joinAnswers(figures);
  const isNoisy = !isOfTurns && (base.length === 1 || other.length === 1);
  const isFailed = verdict === "regressed" || (verdict === "undecided" && rules.failsOnUndecided);
  return {
    schema: "bearhug/comparison@1",
    tool,
    test: { name: latest.test.name },
    verdict,
    exitCode: isFailed ? failedCode : 0,
    messages: [
      ...bad.other,
      ...bad.base,
      ...(doubts.about === "none" || verdict === "regressed" ? describeVerdict(verdict, figures, rules) : []),
      ...otherResponses.map(({ sentence }) => sentence),
      ...doubts.reasons,
    ],
    notes: [
      ...(isOfTurns ? [] : [...base, ...other].flatMap(describeFailedRun)),
      ...doubts.accepted,
      ...findOneSided(base, other),
      ...describeDependence(figures, deciding),
      ...equal,
      ...(isNoisy ? [noteOfNoise(base, other, rules.runNoise)] : []),
      ...leftOut,
    ],
    sides: isOfTurns ? "turns" : "runs",
    tolerance: rules.tolerance,
    rateTolerance: rules.rateTolerance,
    runNoise: isNoisy ? rules.runNoise : null,
    base: describeSide(base),
    new: describeSide(other),
    figures,
    exploratory: [...exploratory, ...(isOfTurns ? [] : monitoredFigures(base, other))],
  };
}

/**
 * Describes why a saved run failed, other than by thresholds and its generator: if its load was not applied as
 * planned, its times may look good. A run that just ended says so itself.
 */
function describeFailedRun({ name, result: { verdict, messages } }: NamedRun): string[] {
  if (verdict !== "failed" || name === thisRun) return [];
  const first = messages.find(
    (message) => !isThresholdFailure(message) && !message.startsWith(generatorSaturated),
  );
  return first === undefined ? [] : [`${name} had failed by itself: ${first}`];
}

const decidingDraws = 400;
const exploratoryDraws = 100;

/** One figure of both sides, compared on its own. */
interface Compared {
  readonly figure: ChosenFigure;
  readonly unit: ComparedFigure["unit"];
  readonly scale: ComparedFigure["change"];
  /** Null if it cannot be compared; `reason` explains why. */
  readonly change: SidedChange | null;
  /** Null unless it is a rate that is 0, or 1, on both sides; that needs no further comparison. */
  readonly equal: EqualShares | null;
  readonly reason: string | null;
  /** The `answer` that cut-off requests rule out. */
  readonly impossible: ComparisonAnswer | null;
  /** The largest accepted change for the worse, on the scale of the change. */
  readonly tolerance: number;
}

interface Runs {
  readonly base: readonly NamedRun[];
  readonly other: readonly NamedRun[];
  readonly reader: FigureReader;
}

function compareFigure(
  figure: ChosenFigure,
  { base, other, reader }: Runs,
  rules: ComparisonRules & Conditions,
): Compared {
  const read = ({ result, variant }: NamedRun): ReadFigure =>
    variant === undefined
      ? reader.read(result, figure)
      : reader.read(result, ofVariant(figure, variant), { isEvenly: isClosed(result) });
  const [ofBase, ofOther] = [base.map(read), other.map(read)];
  const all = [...ofBase, ...ofOther];
  const scale = all.some(({ type }) => type === "rate") ? "points" : "relative";
  const kept = { figure, scale, unit: all[0]?.unit ?? null } as const;
  const isUp = figure.worse === "higher";
  const relative = isUp ? Math.log1p(rules.tolerance) : -Math.log1p(-Math.min(rules.tolerance, 0.99));
  const tolerance = scale === "points" ? rules.rateTolerance : relative;
  const samples = { base: samplesOf(ofBase), other: samplesOf(ofOther) };
  const sides =
    samples.base === null || samples.other === null
      ? null
      : ({ base: samples.base, other: samples.other, change: scale } as const);
  const equal = sides === null || scale !== "points" ? null : findEqualShares(sides.base, sides.other);
  const change = sides === null || equal !== null ? null : compareSides(sides, rules);
  const impossible = change === null ? null : findImpossible(change, ofBase, ofOther, isUp);
  return {
    ...kept,
    change,
    equal,
    tolerance,
    impossible,
    reason: change === null && equal === null ? whyNot([...base, ...other], all) : null,
  };
}

/**
 * True if all scenarios are closed models. There, a target that is slow, or that users back off from, gets
 * fewer requests: each second counts equally, so that slow times stay visible.
 */
function isClosed({ plan }: TestResult): boolean {
  return plan.scenarios.every(({ executor }) => !executors[executor].isOpen);
}

function ofVariant(figure: ChosenFigure, variant: string): ChosenFigure {
  const { metric, filters } = figure.selector;
  const own = { tag: "variant", operator: "equals", value: variant } as const;
  return { ...figure, selector: { metric, filters: [...filters, own] } };
}

function samplesOf(side: readonly ReadFigure[]): NonNullable<ReadFigure["samples"]>[] | null {
  const samples = side.flatMap((one) => (one.samples === null ? [] : [one.samples]));
  return samples.length < side.length ? null : samples;
}

/**
 * Returns the answer that cut-off requests rule out. Percentiles that reach into them are lower bounds: the
 * true value of that side may be worse.
 */
function findImpossible(
  { base, other }: SidedChange,
  ofBase: readonly ReadFigure[],
  ofOther: readonly ReadFigure[],
  isUp: boolean,
): ComparisonAnswer | null {
  const reaches = (value: number, side: readonly ReadFigure[]): boolean =>
    side.some(({ censoredFrom }) => Math.exp(value) >= censoredFrom);
  if (reaches(other, ofOther)) return isUp ? "ok" : "regressed";
  if (reaches(base, ofBase)) return isUp ? "regressed" : "ok";
  return null;
}

function whyNot(runs: readonly NamedRun[], figures: readonly ReadFigure[]): string {
  const at = (matches: (figure: ReadFigure) => boolean): string => {
    return runs[figures.findIndex(matches)]?.name ?? "";
  };
  if (figures.some(({ isEmpty }) => isEmpty)) return `${at(({ isEmpty }) => isEmpty)} has no sample of it.`;
  if (figures.some(({ samples }) => samples === null))
    return `${at(({ samples }) => samples === null)} cannot be resampled for this figure: it is a gauge, or has too few requests.`;
  return "The run was too short, or too few samples are above 0. Run for 10 s or longer.";
}

/** Judges the deciding figures together, because some of several figures look worse by chance. */
function judge(compared: readonly Compared[], doubts: Doubts["about"]): ComparedFigure[] {
  const oriented = compared.map(({ change, tolerance, figure: { worse } }) => {
    const sign = worse === "higher" ? 1 : -1;
    return { tolerance, change: change && { ...change, shift: change.shift * sign } };
  });
  const judged = judgeChanges(oriented);
  return compared.map((one, at) => {
    const { answer, interval } = judged[at] ?? { answer: "undecided", interval: null };
    const isDoubted = doubts === "all" || (doubts === "times" && one.scale === "relative");
    if (one.equal !== null)
      return describe(one, { answer: isDoubted ? "undecided" : "ok", interval: one.equal.interval });
    const isKnown = !isDoubted && answer !== one.impossible;
    const ends =
      interval === null || one.figure.worse === "higher" ? interval : ([-interval[1], -interval[0]] as const);
    return describe(one, { answer: isKnown ? answer : "undecided", interval: ends && shown(one, ends) });
  });
}

function describe(
  { figure, unit, scale, change, equal, reason, impossible }: Compared,
  { answer, interval }: Omit<JudgedChange, "answer"> & { readonly answer: ComparisonAnswer | null },
): ComparedFigure {
  const value = (logged: number): number => (scale === "relative" ? Math.exp(logged) : logged);
  const cutOff = impossible !== null && answer === "undecided" ? cutOffReason : null;
  const why = reason ?? cutOff;
  return {
    metric: figure.key,
    aggregation: aggregationName(figure.aggregation),
    unit,
    change: scale,
    worse: figure.worse,
    ...(equal === null
      ? {
          base: change && value(change.base),
          new: change && value(change.other),
          difference: change && (scale === "relative" ? Math.expm1(change.shift) : change.shift),
        }
      : { base: equal.share, new: equal.share, difference: 0 }),
    interval,
    answer,
    ...(why === null ? {} : { reason: why }),
  };
}

const none: BadTimes = { base: [], other: [] };

/** Makes ok figures undecided if a side was down for a while: its times describe its good part only. */
function withBadTimes(
  figures: readonly ComparedFigure[],
  { base, other }: BadTimes,
): readonly ComparedFigure[] {
  if (base.length === 0 && other.length === 0) return figures;
  return figures.map(undecided("A side was down, or far slower, for a part of the time."));
}

/** Makes ok times undecided if the sides responded with something else. */
function withOtherResponses(
  figures: readonly ComparedFigure[],
  [found]: readonly OtherResponses[],
): readonly ComparedFigure[] {
  if (found === undefined) return figures;
  const change = undecided(found.reason);
  return figures.map((one) => (one.change === "relative" ? change(one) : one));
}

function undecided(reason: string): (figure: ComparedFigure) => ComparedFigure {
  return (figure) => (figure.answer === "ok" ? { ...figure, answer: "undecided", reason } : figure);
}

const cutOffReason = "Requests that were cut off reach into it: it is only a lower bound.";

function shownInterval(one: Compared): readonly [number, number] | null {
  if (one.equal !== null) return one.equal.interval;
  return one.change && shown(one, intervalOf(one.change));
}

function shown({ scale }: Compared, [low, high]: readonly [number, number]): readonly [number, number] {
  return scale === "relative" ? [Math.expm1(low), Math.expm1(high)] : [low, high];
}

function joinAnswers(figures: readonly ComparedFigure[]): ComparisonAnswer {
  if (figures.some(({ answer }) => answer === "regressed")) return "regressed";
  return figures.every(({ answer }) => answer === "ok") ? "ok" : "undecided";
}

function describeSide(runs: readonly NamedRun[]): ComparedSide {
  return {
    target: runs[0]?.target ?? runs[0]?.result.test.target ?? null,
    runs: runs.map(({ name, variant, result }, at) => ({
      file: name === thisRun || variant !== undefined ? null : name,
      startedAt: result.startedAt,
      durationMs: result.durationMs,
      requests: requestsOf(result, variant),
      ...(at === runs.length - 1 && variant === undefined && { curves: curvesOf(result) }),
    })),
  };
}

function requestsOf({ accounting, variants }: NamedRun["result"], variant: string | undefined): number {
  const turns = variants?.variants.find(({ name }) => name === variant);
  if (turns !== undefined) return turns.requests;
  return sumBy(accounting.requests, ({ succeeded, failed }) => succeeded + failed);
}

function noteOfNoise(base: readonly NamedRun[], other: readonly NamedRun[], runNoise: number): string {
  const [single] = [
    ...(base.length === 1 && other.length === 1 ? ["Each side has"] : []),
    ...(base.length === 1 ? ["The base has"] : ["The new side has"]),
  ];
  return `${single ?? ""} a single run, which does not show how much runs of the same thing differ. The intervals allow for ${formatTolerance("relative", runNoise)} (--run-noise).`;
}
