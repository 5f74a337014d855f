import { arrivalKinds, busyActions, once, z } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import { durationSchema } from "../validation/duration.ts";
import { type ShapeOf, zeroOrMore, atLeastOne, type BaseOptions, validBase } from "./scenario-options.ts";
import type { ValidatedOpenModel, ReadSeparately } from "./validated-scenario.ts";
import type { ArrivalSchedule } from "../pacing/arrivals.ts";
import { pace } from "../pacing/pacer.ts";
import { placeAmong, stripeAt, stripeNumber } from "../pacing/stripe.ts";
import type { CertainVus } from "./load-model.ts";
import { describeVus } from "./describe-load.ts";
import type { ScenarioShare } from "./scenario-share.ts";
import { VuPool } from "./vu-pool.ts";

/** The default of `maxVUs`. */
export const defaultMaxVUs = 10_000;

/** The common parts of both open models. */
export const openModel: {
  readonly peakVus: (scenario: ValidatedOpenModel) => number;
  readonly countedIterations: () => null;
} = {
  peakVus: ({ maxVUs, preAllocatedVUs }) => Math.max(maxVUs, preAllocatedVUs),
  countedIterations: () => null,
};

/** The VUs that the scenario creates at its start; it creates others when they are needed. */
export function preAllocated({ preAllocatedVUs }: ValidatedOpenModel, durationMs: number): CertainVus {
  return { vus: preAllocatedVUs, fromMs: 0, untilMs: durationMs };
}

/** Describes a rate in words. */
export function describeRate(count: number, { timeUnitMs }: ValidatedOpenModel): string {
  return `${count} iterations${timeUnitMs === 1000 ? "/s" : ` per ${formatPlanned(timeUnitMs)}`}`;
}

/** Describes the options of an open model that differ from their defaults. */
export function describeArrivals({ arrivals, maxVUs, onBusy }: ValidatedOpenModel): string[] {
  return [
    ...(arrivals === "poisson" ? ["Poisson arrivals"] : []),
    ...(maxVUs === defaultMaxVUs ? [] : [`at most ${describeVus(maxVUs)}`]),
    ...(onBusy === "queue" ? ["queued when all are busy"] : []),
  ];
}

/** The reason why `--vus` alone does not apply to an open model. */
export const vusInapplicable =
  "starts iterations at a rate and creates VUs as needed; with --rate, --vus is the most it may create.";

/**
 * Starts this worker's arrivals of a schedule when they are due; resolves when all iterations that it started
 * have ended.
 */
export async function driveArrivals(
  scenario: ValidatedOpenModel,
  share: ScenarioShare,
  schedule: ArrivalSchedule,
  durationMs: number,
): Promise<void> {
  // A worker without a VU would drop all its arrivals, so only workers with a VU take part.
  const place = placeAmong(share.place, scenario.maxVUs);
  if (place === null) return;
  const stripe = stripeAt(place);
  const pool = new VuPool(share, scenario, stripe);
  let missed = 0;
  const dueMs = (position: number): number => {
    const number = stripeNumber(position, stripe);
    if (number < share.iterationLimit) return share.startMs + schedule.dueMs(number);
    if (schedule.dueMs(number) < durationMs) share.reportLimitReached();
    return Number.POSITIVE_INFINITY;
  };
  for (let due = dueMs(0); due < share.beganMs; due = dueMs(missed)) {
    share.drop(1, due, "late_start");
    missed++;
  }
  await pace({
    clock: share.clock,
    dueMs: (position) => dueMs(position + missed),
    endMs: share.startMs + durationMs,
    onStop: (callback) => {
      share.onStop(callback);
    },
    onSpin: (durationMs, isNap) => {
      share.reportWait(durationMs, isNap);
    },
    miss: (position, isLate) => {
      share.drop(1, dueMs(position + missed), isLate ? "late" : "stopped");
    },
    start: (position, intendedMs, offeredMs) => {
      pool.start({ number: stripeNumber(position + missed, stripe), intendedMs, offeredMs });
    },
  });
  await pool.settled();
}

interface OpenOptions {
  readonly timeUnit: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number | undefined;
  readonly arrivals: (typeof arrivalKinds)[number];
  readonly onBusy: (typeof busyActions)[number];
}

export const openShape: () => ShapeOf<OpenOptions> = once(() => ({
  timeUnit: durationSchema().default(1000),
  preAllocatedVUs: zeroOrMore().default(0),
  maxVUs: atLeastOne().optional(),
  arrivals: z.enum(arrivalKinds).default("uniform"),
  onBusy: z.enum(busyActions).default("drop"),
}));

export function validOpenModel(options: OpenOptions & BaseOptions): Omit<ValidatedOpenModel, ReadSeparately> {
  const { timeUnit, preAllocatedVUs, maxVUs, arrivals, onBusy } = options;
  return {
    ...validBase(options),
    timeUnitMs: timeUnit,
    preAllocatedVUs,
    maxVUs: maxVUs ?? Math.max(defaultMaxVUs, preAllocatedVUs),
    arrivals,
    onBusy,
  };
}
