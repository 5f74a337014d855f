import { arrivalKinds, busyActions, once, z } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import { durationSchema } from "../validation/duration.ts";
import { type ShapeOf, zeroOrMore, atLeastOne } from "./scenario-options.ts";
import type { ValidatedOpenModel, ValidatedScenarioBase } from "./validated-scenario.ts";
import { type ArrivalSchedule, poissonArrivals } from "../pacing/arrivals.ts";
import { pace } from "../pacing/pacer.ts";
import type { RateProfile } from "../pacing/rate-profile.ts";
import { placeAmong, stripeAt, stripeNumber, stripeSize, type Stripe } from "../pacing/stripe.ts";
import type { CertainVus } from "./load-model.ts";
import { describeVus } from "./describe-load.ts";
import type { DrivenVu, IterationStart, ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

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
 * Starts this worker's arrivals when they are due: on an even schedule, or at random by the profile of the
 * rate. Resolves when all iterations that it started have ended.
 */
export async function driveArrivals(
  scenario: ValidatedOpenModel,
  share: ScenarioShare,
  profile: RateProfile,
  evenly: () => ArrivalSchedule,
): Promise<void> {
  const { durationMs } = profile;
  // A worker without a VU would drop all its arrivals, so only workers with a VU take part.
  const place = placeAmong(share.place, scenario.maxVUs);
  if (place === null) return;
  const schedule =
    scenario.arrivals === "poisson" ? poissonArrivals(profile, () => share.arrivalSource()) : evenly();
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
    onStop: (callback) => share.onStop(callback),
    onSpin: (durationMs, isNap) => share.reportWait(durationMs, isNap),
    miss: (position, isLate) => share.drop(1, dueMs(position + missed), isLate ? "late" : "stopped"),
    start: (position, intendedMs, offeredMs) =>
      pool.start({ number: stripeNumber(position + missed, stripe), intendedMs, offeredMs }),
  });
  await pool.settled();
}

/** The VUs of an open model: created when needed; the one that became free last is used next. */
class VuPool {
  readonly #share: ScenarioShare;
  readonly #stripe: Stripe;
  readonly #maxVus: number;
  readonly #queue: ArrivalQueue | null;
  readonly #turns: TurnKeeper;
  readonly #idle: DrivenVu[] = [];
  #created = 0;
  #running = 0;
  #onSettled: (() => void) | null = null;

  /** The pool gets its stripe's share of the VUs of all workers. */
  constructor(share: ScenarioShare, { preAllocatedVUs, maxVUs, onBusy }: ValidatedOpenModel, stripe: Stripe) {
    this.#share = share;
    this.#turns = new TurnKeeper(share.clock);
    this.#stripe = stripe;
    this.#maxVus = stripeSize(maxVUs, stripe);
    this.#queue = onBusy === "queue" ? new ArrivalQueue() : null;
    while (this.#created < stripeSize(preAllocatedVUs, stripe)) this.#idle.push(this.#create());
    share.onStop(() => {
      // If the run was not stopped early, the graceful stop has ended: there were too few VUs for the
      // arrivals still queued.
      const reason = share.isStopped() ? "stopped" : "busy";
      for (const { intendedMs } of this.#queue?.drain() ?? []) share.drop(1, intendedMs, reason);
    });
  }

  /** Starts an iteration on a free VU. If all are busy, the iteration is queued or dropped. */
  start(arrival: IterationStart): void {
    const vu = this.#idle.pop() ?? (this.#created < this.#maxVus ? this.#create() : undefined);
    if (vu !== undefined) void this.#run(vu, arrival);
    else if (this.#queue === null) this.#share.drop(1, arrival.intendedMs, "busy");
    else if (!this.#queue.join(arrival)) this.#share.drop(1, arrival.intendedMs, "queue full");
  }

  /** Resolves when no iteration runs or waits. */
  async settled(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
  }

  async #run(vu: DrivenVu, first: IterationStart): Promise<void> {
    this.#running++;
    for (
      let arrival: IterationStart | undefined = first;
      arrival !== undefined;
      arrival = this.#queue?.next()
    ) {
      await iterated(vu, arrival);
      const turn = this.#queue === null ? null : this.#turns.due();
      if (turn !== null) await turn;
    }
    this.#idle.push(vu);
    this.#running--;
    if (this.#running === 0) this.#onSettled?.();
  }

  #create(): DrivenVu {
    return this.#share.createVu(stripeNumber(this.#created++, this.#stripe));
  }
}

/** Runs one iteration; resolves when it has ended. */
function iterated(vu: DrivenVu, start: IterationStart): Promise<void> {
  return new Promise((resolve) => vu.iterate(start, { onIterationEnded: resolve }));
}

/**
 * The most arrivals that may wait. Later ones would not be served in any useful time, and would only take
 * memory.
 */
export const longestQueue = 250_000;

/** Arrivals that wait for a free VU, first come, first served. */
export class ArrivalQueue {
  #waiting: IterationStart[] = [];
  #served = 0;

  get length(): number {
    return this.#waiting.length - this.#served;
  }

  /** Adds an arrival; returns false if the queue is full. */
  join(arrival: IterationStart): boolean {
    if (this.length >= longestQueue) return false;
    this.#waiting.push(arrival);
    return true;
  }

  next(): IterationStart | undefined {
    const arrival = this.#waiting[this.#served];
    if (arrival === undefined) return undefined;
    this.#served++;
    // The array is compacted once in a while: removing one element from the front each time would move all
    // the others.
    if (this.#served * 2 > this.#waiting.length && this.#served > 1000) {
      this.#waiting = this.#waiting.slice(this.#served);
      this.#served = 0;
    }
    return arrival;
  }

  /** Empties the queue and returns the arrivals that were still waiting. */
  drain(): IterationStart[] {
    const waiting = this.#waiting.slice(this.#served);
    this.#waiting = [];
    this.#served = 0;
    return waiting;
  }
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

type OpenLoad = Omit<ValidatedOpenModel, keyof ValidatedScenarioBase>;

export function validOpenModel(options: OpenOptions): OpenLoad {
  const { timeUnit, preAllocatedVUs, maxVUs, arrivals, onBusy } = options;
  return {
    timeUnitMs: timeUnit,
    preAllocatedVUs,
    maxVUs: maxVUs ?? Math.max(defaultMaxVUs, preAllocatedVUs),
    arrivals,
    onBusy,
  };
}
