import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { SweepEnding, SweepResult, SweepTarget, TrialResult } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatMilliseconds, formatPlanned } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatNumber, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { generatorWord } from "../generator-verdict.ts";
import { type Cell, name, number, type Table, valueCell } from "./table.ts";

type Unit = SweepResult["loadUnit"];

/** Describes how the steps of a sweep were measured. */
export function describeSteps({ settleMs, measureMs }: SweepResult): string {
  const settle = settleMs === 0 ? "" : `${formatPlanned(settleMs)} to settle and `;
  return `Each step had ${settle}${formatPlanned(measureMs)} of measurement`;
}

/** Returns the CPU gauge of each monitor: that of its machine, or of its process if there is no other. */
function cpuGauges(steps: readonly TrialResult[]): string[] {
  const all = new Set(steps.flatMap(({ gauges = [] }) => gauges.map(({ metric }) => metric)));
  return [...all].filter((metric) => {
    const { monitor = "", gauge } = readGaugeName(metric) ?? {};
    return gauge === "cpu" || (gauge === "process_cpu" && !all.has(`${monitor}.cpu`));
  });
}

/**
 * Returns the table of the steps of some targets. The figures that every step has come first, then gauges and
 * the generator.
 */
export function stepTable({ loadUnit }: SweepResult, targets: readonly SweepTarget[]): Table {
  const steps = targets.flatMap((target) => target.steps);
  const gauges = cpuGauges(steps);
  const load = { vus: "VUs", connections: "connections", rate: "rate" }[loadUnit];
  return {
    id: "sweep-steps",
    title: "Steps of the sweep",
    note: "response times in ms",
    columns: [
      { ...name("target"), isExtra: true },
      number(load),
      number(steps[0]?.operation === "iteration" ? "iterations/s" : "requests/s"),
      { ...number("p50", 6), unit: "ms" },
      { ...number("p90", 4), unit: "ms" },
      { ...number("p99"), unit: "ms" },
      number("failed", 5),
      number("received/s", 1),
      ...gauges.map((gauge) => number(gauge, 2)),
      number("generator", 3),
    ],
    rows: targets.flatMap((target) =>
      target.steps.map((step) => ({ cells: [{ text: target.name }, ...stepCells(step, loadUnit, gauges)] })),
    ),
  };
}

function stepCells(step: TrialResult, unit: Unit, cpu: readonly string[]): Cell[] {
  const { gauges = [], rate, times, failedShare, receivedRate, generator } = step;
  const time = (ms: number | undefined): Cell =>
    valueCell(ms, (value) =>
      markLowerBound(formatMilliseconds(value), value >= (times?.lowerBoundFrom ?? Infinity)),
    );
  const word = generatorWord(generator, step.durationMs);
  return [
    valueCell(amountOf(step.load), unit === "rate" ? formatRate : formatNumber),
    valueCell(rate, formatNumber),
    ...[times?.p50, times?.p90, times?.p99].map(time),
    { ...valueCell(failedShare, formatPercent), tone: failedShare > 0 ? "bad" : "plain" },
    valueCell(receivedRate, formatBytes),
    ...cpu.map((metric) => {
      const read = gauges.find((one) => one.metric === metric);
      return valueCell(read?.avg, (value) => formatInUnit(value, read?.unit ?? null));
    }),
    { text: word, tone: word === "healthy" || word === "not judged" ? "plain" : "warning" },
  ];
}

/** Describes the knee of a target in a sentence. */
function describeKnee({ knee, steps, ending }: SweepTarget, unit: Unit): string {
  const loads = steps.map(({ load }) => amountOf(load));
  const [least = 0] = loads;
  switch (knee.state) {
    case "found":
      return `Knee: about ${formatLoad(Number(knee.load?.toPrecision(2)), unit)}${between(loads, knee.load ?? 0, unit)}. ${
        unit === "rate"
          ? "The target does not keep up with a higher rate."
          : "Beyond it, response times grow faster than throughput."
      }`;
    case "at-lowest-load":
      return `Knee: at ${formatLoad(least, unit)} or less. The first step already saturates the target; start lower.`;
    case "not-reached":
      return `Knee: not reached. Throughput still grew at ${describeGrowth(loads, ending, unit)}.`;
    case "unknown":
      return "Knee: unknown. It needs at least two steps without a saturated generator and with few failures.";
  }
}

/** Names the last step that says something about throughput, and what follows from it. */
function describeGrowth(loads: readonly number[], ending: SweepEnding, unit: Unit): string {
  const before = formatLoad(loads.at(-2) ?? 0, unit);
  if (ending === "generator") return `${before}, the last step without a saturated generator`;
  if (ending === "failures") return `${before}, the last step before requests failed`;
  return `${formatLoad(loads.at(-1) ?? 0, unit)}; sweep to higher loads`;
}

/** Names the steps on both sides of a load. */
function between(loads: readonly number[], knee: number, unit: Unit): string {
  const [below, above] = [loads.findLast((load) => load <= knee), loads.find((load) => load > knee)];
  if (below === undefined || above === undefined) return "";
  return `, between the steps at ${unit === "rate" ? formatRate(below) : formatNumber(below)} and ${formatLoad(above, unit)}`;
}

/**
 * A fit whose worst error exceeds the first does not describe the target well; above the second, it describes
 * nothing.
 */
const [poorFit, noFit] = [0.1, 0.5];

/** Describes the fit of the Universal Scalability Law in sentences. */
function describeScalability({ scalability: fit, steps }: SweepTarget): string[] {
  if (fit === null) {
    return [
      "Scalability: not fitted. The fit needs four steps without a saturated generator and with few failures.",
    ];
  }
  if (fit.worstError > noFit)
    return [
      `Scalability: no law fits. The best one is off by ${formatPercent(fit.worstError, 1)} at one of the ${formatCount(fit.steps)} steps.`,
    ];
  const operation = steps[0]?.operation ?? "request";
  const { lambda, sigma, kappa, peak, worstError } = fit;
  const law = `Scalability (USL): ${formatRate(lambda)} with one ${operation} at a time, contention ${formatCoefficient(sigma)}, coherency ${formatCoefficient(kappa)}; the fit is within ${formatPercent(worstError, 1)} of the throughput at all ${formatCount(fit.steps)} steps.`;
  const top =
    peak === null
      ? "Peak: not identified, because no step lies beyond it."
      : `Peak: ${formatRate(peak.rate)} with ${formatNumber(peak.concurrency)} ${operation}s in flight.`;
  const warning = "The target does not follow this law well: do not predict other loads with it.";
  return [worstError > poorFit ? `${law} ${warning}` : law, top];
}

/** Formats a coefficient. Coefficients span many powers of ten. */
function formatCoefficient(value: number): string {
  return value === 0 ? "0" : value < 1e-3 ? value.toExponential(1) : formatNumber(value, 2);
}

/** The error of Little's law above which a step counts as too short. */
const littleTolerance = 0.1;

/**
 * Checks each step with Little's law: as many VUs must have been busy as there were. Empty for a ladder of
 * rates. The step that ended a ladder with failures is left out, because VUs wait after a failure.
 */
function describeLittle({ steps, ending }: SweepTarget, unit: Unit): string[] {
  const usable = ending === "failures" ? steps.slice(0, -1) : steps;
  const checked = usable.flatMap((step) => {
    const load = amountOf(step.load);
    return unit === "rate" || load <= 0
      ? []
      : [{ load, busy: step.busyVus, off: Math.abs(step.busyVus / load - 1) }];
  });
  if (checked.length === 0) return [];
  const wrong = checked.filter(({ off }) => off > littleTolerance);
  const worst = Math.max(...checked.map(({ off }) => off));
  if (wrong.length === 0) return [`Little's law holds at every step, within ${formatPercent(worst, 1)}.`];
  const listed = wrong
    .map(({ load, busy }) => `${formatNumber(busy)} of ${formatLoad(load, unit)}`)
    .join(", ");
  return [
    `Little's law accounts for only ${listed}: the steps were too short for their iterations. Give a longer --measure.`,
  ];
}

/** Describes why a ladder ended; null if it reached its last load. */
function describeEnding({ ending, steps }: SweepTarget, unit: Unit): string | null {
  const last = steps.at(-1);
  const at = last === undefined ? "the start" : formatLoad(amountOf(last.load), unit);
  const after = last === undefined ? "before its first step" : `after the step at ${at}`;
  switch (ending) {
    case "complete":
      return null;
    case "failures":
      return `Stopped at ${at} because of failures: ${describeFailures(last)}.`;
    case "throughput":
      return `Stopped at ${at} because the target was overloaded: throughput stayed below 80 % of its peak for two steps.`;
    case "rate":
      return `Stopped at ${at} because the target was overloaded: for two steps it completed less than 90 % of the rate.`;
    case "generator":
      return `Stopped at ${at} because the load generator was saturated: this step measured it, not the target. Use more cores, or --workers.`;
    case "error":
      return `Stopped ${after}: the next step could not run.`;
    case "interrupted":
      return `Interrupted ${after}.`;
    case "unfinished":
      return `Not finished: written ${after}.`;
  }
}

function describeFailures(step: TrialResult | undefined): string {
  if (step === undefined || step.count === 0) return "nothing was answered";
  return `${formatPercent(step.failedShare)} failed${describeErrors(step)}`;
}

function describeErrors({ errors }: TrialResult): string {
  if (errors.length === 0) return "";
  return ` (${errors.map(({ code, count }) => `${code} ×${formatCount(count)}`).join(", ")})`;
}

/**
 * Describes the findings of a target's steps in sentences: why they ended, the knee, scalability, and
 * Little's law.
 */
export function describeTarget(target: SweepTarget, unit: Unit): string[] {
  const ending = describeEnding(target, unit);
  return [
    ...(ending === null ? [] : [ending]),
    describeKnee(target, unit),
    ...describeScalability(target),
    ...describeLittle(target, unit),
  ];
}

/** Returns the index of the first step at or beyond the knee; -1 if there is no knee. */
export function indexOfKnee({ knee, steps }: SweepTarget): number {
  return knee.load === null ? -1 : steps.findIndex((step) => amountOf(step.load) >= (knee.load ?? 0));
}
