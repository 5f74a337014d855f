import { mean } from "@bearhug/metrics/statistics";
import { sumBy } from "@bearhug/metrics/sum";
import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";
import type { OverloadResult } from "@bearhug/sdk/result";
import { formatDuration } from "@bearhug/text/duration";
import { formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { findRecovery } from "./find-recovery.ts";
import type { LoadSecond } from "./load-second.ts";
import { medianP95, splitPhases, uncertaintyOf, type MeasuredPhase, type Phases } from "./split-phases.ts";

/** The least number of intervals that shows the trend of a phase. */
const minIntervals = 3;

/** The number of consecutive intervals over which goodput counts as sustained. */
const lastingIntervals = 3;

/** Goodput below this share of its peak has collapsed. */
const collapsedShare = 0.8;

/** A target that misses this share of the base rate was past its limit from the start. */
const missedAtBase = 0.1;

/** The largest share of the load that a target may miss or reject and still count as holding it. */
const missedShare = 0.03;

/**
 * Response times grow if in the last third of the phase they exceed those of the base phase by this factor.
 */
const grownTimes = 2;

/**
 * Response times are good up to this multiple of those of the base phase, or up to this many ms above them.
 */
const [goodTimes, goodMarginMs] = [5, 25];

type Judged = Pick<OverloadResult, "kind" | "because">;

/**
 * Classifies how the target handled the load past its rate, and how long it took to recover, from the
 * intervals of a run.
 */
export function classifyOverload(load: OverloadLoad, seconds: readonly LoadSecond[]): OverloadResult {
  const phases = splitPhases(load, seconds);
  const { base, past, recovery } = phases;
  const peakGoodput = Math.max(lastingPeak(base.seconds), lastingPeak(past.seconds));
  return {
    ...judge(phases, peakGoodput),
    rate: load.rate,
    factor: load.factor,
    peakGoodput,
    phases: [base, past, recovery].filter(({ seconds: of }) => of.length > 0).map(withoutSeconds),
    intervals: seconds.map(({ iterations: _, connectionsOpened: __, ...interval }) => interval),
    recovery: findRecovery(phases),
  };
}

function judge({ base, past }: Phases, peak: number): Judged {
  if (past.seconds.length < minIntervals || base.seconds.length < minIntervals) {
    return { kind: "unclear", because: "the run ended before the load past the rate had lasted long enough" };
  }
  if (
    base.goodput <
    base.offered * (1 - missedAtBase) - uncertaintyOf(base.offered, lengthOf(base.seconds))
  ) {
    return {
      kind: "unclear",
      because: `the target does not take the base rate: ${formatRate(base.goodput)} of ${formatRate(base.offered)} requests succeeded. Choose a lower --rate`,
    };
  }
  const [early, late] = [thirdOf(past, 0), thirdOf(past, 2)];
  const goodput = mean(late.map((second) => second.goodput));
  const lateMs = lengthOf(late);
  const reached = `${formatRate(goodput)} of ${formatRate(past.offered)} requests succeeded at the end`;
  if (
    goodput < peak * collapsedShare &&
    goodput + uncertaintyOf(goodput, lateMs) <
      peak - uncertaintyOf(peak, lengthOf(late.slice(0, lastingIntervals)))
  ) {
    return {
      kind: "collapses",
      because: `goodput fell to ${formatRate(goodput)}, ${formatPercent(1 - goodput / peak, 0)} below its peak of ${formatRate(peak)}`,
    };
  }
  const times = timesOf(base, early, late);
  const missed = past.offered - goodput;
  const failed = mean(late.map((second) => second.failed));
  const share = failed === 0 ? "" : `, ${formatPercent(failed / (failed + goodput), 1)} failed`;
  const because = `${reached}${share}, and ${times.words}`;
  if ((times.grew || !times.areGood) && missed > past.offered * missedShare)
    return { kind: "queues", because };
  if (failed > past.offered * missedShare && failed >= missed / 2) return { kind: "sheds", because };
  if (missed <= past.offered * missedShare + uncertaintyOf(past.offered, lateMs))
    return { kind: "holds", because };
  return {
    kind: "unclear",
    because: `${reached}, but too few failed and response times hardly grew: ${times.words}. Was the load limited by the generator, --vus or -c?`,
  };
}

interface Times {
  /** True if response times kept growing, or only dropped iterations limited them. */
  readonly grew: boolean;
  /** True if response times stayed near those of the base phase. */
  readonly areGood: boolean;
  readonly words: string;
}

function timesOf(base: MeasuredPhase, early: readonly LoadSecond[], late: readonly LoadSecond[]): Times {
  const [before, first, last] = [base.p95, medianP95(early), medianP95(late)];
  if (before === null || last === null) {
    return { grew: last === null, areGood: last !== null, words: "no response came at the end" };
  }
  const keepsGrowing = first === null || last > first * 1.2;
  const isCapped = late.some(({ dropped }) => dropped > 0);
  return {
    grew: last > before * grownTimes && (keepsGrowing || isCapped),
    areGood: last <= Math.max(before * goodTimes, before + goodMarginMs),
    words: `p95 went from ${formatDuration(before)} to ${formatDuration(last)}`,
  };
}

function thirdOf({ seconds }: MeasuredPhase, index: number): readonly LoadSecond[] {
  const length = Math.ceil(seconds.length / 3);
  return index === 2 ? seconds.slice(-length) : seconds.slice(index * length, (index + 1) * length);
}

function lengthOf(seconds: readonly LoadSecond[]): number {
  return sumBy(seconds, ({ fromMs, toMs }) => toMs - fromMs);
}

function lastingPeak(seconds: readonly LoadSecond[]): number {
  const goodputs = seconds.map(({ goodput }) => goodput);
  const means = goodputs
    .slice(0, Math.max(1, goodputs.length - lastingIntervals + 1))
    .map((_, index) => mean(goodputs.slice(index, index + lastingIntervals)));
  return Math.max(0, ...means);
}

function withoutSeconds({ seconds: _, ...phase }: MeasuredPhase): Omit<MeasuredPhase, "seconds"> {
  return phase;
}
