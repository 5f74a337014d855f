import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import { amountOf } from "@bearhug/metrics/results/load";
import type { CapacityResult, CapacityTrial, ObjectiveReading } from "@bearhug/sdk/result";
import { formatPlanned } from "@bearhug/text/duration";
import { formatCount, formatCounted, formatNumber, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { countCell, durationCell, number, type Table, text, valueCell } from "./table.ts";

type Unit = CapacityResult["unit"];

/** Significant digits of a load. Other figures have fewer, but an interval may be narrow. */
const loadDigits = 4;

/** Formats a load with its unit: 850/s, 120 VUs. */
function formatLoad(load: number, unit: Unit): string {
  return unit === "rate"
    ? formatRate(load, loadDigits)
    : `${formatNumber(load)} ${load === 1 ? "VU" : "VUs"}`;
}

/** Formats the load of a trial with its unit. */
export function formatTrialLoad({ figures: { load } }: Pick<CapacityTrial, "figures">): string {
  return load.kind === "vus" ? formatLoad(load.vus, "vus") : formatLoad(load.perSecond, "rate");
}

/** Returns the answer of a search in one sentence. */
export function describeAnswer(capacity: CapacityResult): string {
  const { answer, load, low, high, unit, spentMs, trials } = capacity;
  const showLoad = (value: number | null): string =>
    value === null ? "an unknown load" : formatLoad(value, unit);
  const showBound = (bound: number | null, round: (value: number) => number): string =>
    showLoad(bound === null || unit === "vus" ? bound : outward(bound, round));
  const limited = trials.filter(({ isGeneratorLimited }) => isGeneratorLimited).length;
  switch (answer) {
    case "found":
      return `rely on ${showBound(low, Math.floor)}: the capacity is about ${showLoad(load)}, between ${showBound(low, Math.floor)} and ${showBound(high, Math.ceil)} with 95 % confidence`;
    case "met-at-highest":
      return `the objectives are met at ${showLoad(load)}, the highest load tried: raise --max-rate to find the capacity`;
    case "not-met-at-lowest":
      return `the objectives are not met at ${showLoad(load)}, the lowest load tried`;
    case "generator-limited":
      if (restsOnStrain(trials))
        return `generator-limited at ${showLoad(load)}: the objectives are met there, and this machine was strained at every load that looked too slow, so the target may take more`;
      return `generator-limited at ${showLoad(load)}: the objectives are met there, and this machine cannot apply more load`;
    case "undecided":
      if (limited > 0 && limited === trials.length)
        return "UNDECIDED: the load generator was saturated in every trial, so none says anything of the target";
      if (limited * 2 > trials.length)
        return `UNDECIDED: the load generator was saturated in ${limited} of ${trials.length} trials, which do not count. Search on a machine that does nothing else`;
      if (trials.length === 0)
        return "UNDECIDED: the first trial did not fit into the budget; raise --budget";
      if (trials.every(({ figures }) => figures.goodRate === 0))
        return "UNDECIDED: the target served no load. Check it with a single request, bearhug <url> -n 1; if it is just slow, raise --budget";
      if (capacity.isTargetDown === true) return "UNDECIDED: the target did not last the search";
      if (capacity.passed === null && low !== null && high !== null)
        return `UNDECIDED: no load was shown to meet the objectives; the capacity may lie between ${showLoad(low)} and ${showLoad(high)}; raise --budget`;
      if (low === null && high === null)
        return `UNDECIDED: no load was decided in ${formatPlanned(Math.round(spentMs / 1000) * 1000)}; raise --budget`;
      if (high === null) return `UNDECIDED above ${showLoad(low)}: budget spent; raise --budget`;
      if (low === null) return `UNDECIDED below ${showLoad(high)}: budget spent; raise --budget`;
      return `UNDECIDED between ${showLoad(low)} and ${showLoad(high)}: budget spent; raise --budget to narrow it`;
  }
}

/** Rounds a bound to the digits that are shown, but never into the interval. */
function outward(bound: number, round: (value: number) => number): number {
  const unit = 10 ** (Math.floor(Math.log10(bound)) - (loadDigits - 1));
  // toPrecision removes the error of the division, which could round an exact bound one step further.
  return round(Number((bound / unit).toPrecision(12))) * unit;
}

/** Returns a sentence if the target was down at the end of the search, or throughout. */
export function describeOutage({ isTargetDown = false, trials, unit }: CapacityResult): string[] {
  const judged = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  const last = judged.at(-1);
  if (last === undefined) return [];
  const at = `at ${formatLoad(amountOf(last.figures.load), unit)}`;
  const [error] = last.figures.errors;
  const cause = error === undefined ? "" : ` (${error.code})`;
  if (isTargetDown)
    return [
      `the target went down during the search: ${at}, a load that it had served before, nearly nothing succeeded${cause}`,
    ];
  if (judged.some(({ figures }) => figures.goodRate > 0)) return [];
  return [`no request succeeded, not even ${at}${cause}`];
}

/**
 * Returns the last trial at each load, in ascending order. Its verdict rests on all trials at that load.
 * Trials that the generator limited are left out.
 */
export function lastAtEachLoad(trials: readonly CapacityTrial[]): CapacityTrial[] {
  const counted = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  return [...new Map(counted.map((trial) => [amountOf(trial.figures.load), trial])).values()].toSorted(
    (left, right) => amountOf(left.figures.load) - amountOf(right.figures.load),
  );
}

/** Describes the progress of an interrupted search in a sentence. */
export function describeInterrupted({ low, high, unit, trials }: CapacityResult, signal: string): string {
  const ended = `interrupted by ${signal}: the search ended after ${formatCounted(trials.length, "trial")}`;
  if (low !== null && high !== null)
    return `${ended}; so far, the capacity lies between ${formatLoad(low, unit)} and ${formatLoad(high, unit)}`;
  if (low !== null) return `${ended}; so far, the capacity lies above ${formatLoad(low, unit)}`;
  if (high !== null) return `${ended}; so far, the capacity lies below ${formatLoad(high, unit)}`;
  return `${ended}, and no load was decided`;
}

/** True if the generator was strained in some trial, but limited none. */
function restsOnStrain(trials: CapacityResult["trials"]): boolean {
  return (
    trials.some(({ figures }) => figures.generator.verdict === "strained") &&
    !trials.some(({ isGeneratorLimited }) => isGeneratorLimited)
  );
}

/** Returns a sentence if a load passed although a lower one failed. */
export function describeContradiction({ trials, unit }: CapacityResult): string[] {
  const judged = lastAtEachLoad(trials);
  const failed = judged.find(({ verdict }) => verdict === "FAIL");
  const passed = judged.findLast(({ verdict }) => verdict === "PASS");
  if (
    failed === undefined ||
    passed === undefined ||
    amountOf(failed.figures.load) > amountOf(passed.figures.load)
  )
    return [];
  const at = (trial: CapacityTrial): string => formatLoad(amountOf(trial.figures.load), unit);
  return [
    `the trials contradict each other: PASS at ${at(passed)}, but FAIL at ${at(failed)}. The target was slower at times, so the answer is uncertain; search again while nothing else uses it`,
  ];
}

/** Describes in a sentence each way in which the load generator was not healthy. */
export function describeGenerators({ trials }: CapacityResult): string[] {
  const describe = (verdict: "saturated" | "strained", meaning: string): string[] => {
    const affected = trials.filter(({ figures: { generator } }) => generator.verdict === verdict);
    const [first] = affected;
    if (first === undefined) return [];
    const count = `${formatCount(affected.length)} of ${formatCount(trials.length)} trials`;
    const why = first.figures.generator.reasons
      .slice(0, 1)
      .map((reason) => ` At ${formatTrialLoad(first)}: ${reason}`);
    return [`the load generator was ${verdict} in ${count}${meaning}.${why.join("")}`];
  };
  return [
    ...describe("saturated", ", which do not count"),
    ...describe("strained", ": it may have made responses look slower, so the target may take more"),
  ];
}

/**
 * Returns the sentences above the table of trials: the confirmation, the limiting objective, and all
 * objectives.
 */
export function describeSearch(capacity: CapacityResult): string[] {
  const { objectives, limitedBy } = capacity;
  const confirmation = describeConfirmation(capacity);
  return [
    ...(confirmation === null ? [] : [confirmation]),
    ...(limitedBy === null ? [] : [`limited by ${limitedBy}`]),
    ...objectives.map(
      (objective, index) =>
        `objective ${index + 1}: ${objective.text}${objective.isOwn ? "" : " (default; set your own with --slo)"}`,
    ),
  ];
}

/**
 * Returns the table of trials, in order. If columns must go, the limiting objective keeps its column longest.
 */
export function trialTable(capacity: CapacityResult): Table {
  const { objectives, trials } = capacity;
  const limiting = findLimiting(capacity);
  return {
    id: "capacity-trials",
    title: "Trials of the search",
    note: "readings with 95 % intervals, over all trials so far at the same load",
    columns: [
      { ...number("trial"), isExtra: true },
      number("load"),
      text("verdict"),
      ...objectives.map((objective, index) => ({
        ...text(titleReading(`objective ${index + 1}`, objective)),
        keep: index === limiting ? 3 : 0,
      })),
      number("succeeded", 1),
      number("p99", 2),
      { ...text("generator"), isExtra: true },
    ],
    rows: trials.map((trial, index) => ({
      cells: [
        countCell(index + 1),
        { text: formatTrialLoad(trial), value: amountOf(trial.figures.load) },
        { text: describeTrialVerdict(trial) },
        ...objectives.map((objective, at) => ({
          text: describeReading(trial.readings[at] ?? null, objective),
        })),
        valueCell(trial.figures.goodRate, formatRate),
        durationCell(trial.figures.times?.p99 ?? null),
        { text: trial.figures.generator.verdict },
      ],
    })),
  };
}

/** Describes the outcome of the confirmation in a sentence; null if there was none. */
export function describeConfirmation({ confirmed, trials, objectives }: CapacityResult): string | null {
  const trial = trials.findLast(
    ({ purpose, isGeneratorLimited }) => purpose === "confirmation" && !isGeneratorLimited,
  );
  if (confirmed === null || trial === undefined) return null;
  const readings = trial.readings.map((reading, index) => {
    const name = `objective ${index + 1}`;
    const title = reading === null ? `${name}:` : titleReading(name, objectives[index]);
    return `${title} ${describeReading(reading, objectives[index])}`;
  });
  const words = {
    PASS: "every objective is shown to be met",
    UNDECIDED: "no objective is shown to be violated, but one run is too short to show that all are met",
    FAIL: "an objective is violated",
  };
  return `confirmation at ${formatTrialLoad(trial)}: ${readings.join(", ")}: ${words[confirmed]}`;
}

/** Returns the verdict of a trial, and marks the confirmation. */
function describeTrialVerdict({
  isGeneratorLimited,
  verdict,
  purpose,
}: Pick<CapacityTrial, "isGeneratorLimited" | "verdict" | "purpose">): string {
  const word = isGeneratorLimited ? "GENERATOR" : verdict;
  return purpose === "confirmation" ? `${word} (confirmation)` : word;
}

/**
 * Titles the readings of an objective. A share is of the requests that violate it; without this title it
 * would read like the opposite.
 */
export function titleReading(
  name: string,
  objective: Pick<CapacityResult["objectives"][number], "judges"> | undefined,
): string {
  return objective?.judges === "share" ? `${name} violated by` : name;
}

/** Formats a figure with its interval: 0.82 % (0.41 % to 1.60 %). */
export function describeReading(
  reading: ObjectiveReading | null,
  objective: Pick<CapacityResult["objectives"][number], "judges" | "bound" | "gaugeUnit"> | undefined,
): string {
  if (reading === null || objective === undefined)
    return objective?.gaugeUnit === undefined ? "too few requests" : "too few readings";
  const { gaugeUnit = "ms" } = objective;
  const format = (value: number): string =>
    objective.judges === "mean" ? formatInUnit(value, gaugeUnit) : formatPercent(Math.max(0, value));
  const { value, low, high } = reading;
  return `${format(value)} (${format(low)} to ${format(high)})`;
}

/** Returns the index of the objective that was furthest past its bound in some trial. */
function findLimiting({ objectives, trials }: CapacityResult): number {
  const excesses = objectives.map(({ bound }, index) =>
    Math.max(0, ...trials.map(({ readings }) => (readings[index]?.value ?? 0) / bound)),
  );
  return Math.max(0, excesses.indexOf(Math.max(...excesses)));
}

/** Describes a trial that begins. */
export function describeStep(
  { load, purpose }: { readonly load: number; readonly purpose: string },
  unit: Unit,
): string {
  return `${purpose === "confirmation" ? "confirming" : "trying"} ${formatLoad(load, unit)}`;
}

/** Returns the line that announces the overload after a search. */
export function announceOverload({ rate, factor }: { rate: number; factor: number }): string {
  return `overload: ${formatLoad(rate, "rate")}, ${formatLoad(rate * factor, "rate")} and ${formatLoad(rate, "rate")} again, for 10 s each …`;
}

interface Progress {
  readonly unit: Unit;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly met: { readonly load: number } | null;
  readonly violated: { readonly load: number } | null;
  readonly spentMs: number;
  readonly budgetMs: number;
}

/**
 * Returns the line of a trial that has ended: its load, its verdict, the narrowing bracket and the time
 * spent.
 */
export function describeProgress(trial: CapacityTrial, progress: Progress): string {
  const verdict = trial.isGeneratorLimited ? "GENERATOR" : trial.verdict;
  return [
    formatTrialLoad(trial).padStart(10),
    verdict.padEnd(10),
    describeBracket(progress).padEnd(36),
    describeSpent(progress),
  ].join("  ");
}

/** Describes the bracket and the time spent, for display beside a running trial. */
export function describeBracketAndTime(progress: Progress): string {
  return `${describeBracket(progress)}; ${describeSpent(progress)} spent`;
}

function describeBracket({ unit, passed, failed, met, violated }: Progress): string {
  const end = (bound: number | null, guess: { readonly load: number } | null): string => {
    if (bound !== null && (guess === null || bound === guess.load)) return formatLoad(bound, unit);
    return guess === null ? "?" : `~${formatLoad(guess.load, unit)}`;
  };
  return `bracket ${end(passed, met)} … ${end(failed, violated)}`;
}

function describeSpent({ spentMs, budgetMs }: Progress): string {
  return `${formatPlanned(Math.round(spentMs / 1000) * 1000)} of ${formatPlanned(budgetMs)}`;
}
