import { once } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import { durationSchema } from "../validation/duration.ts";
import { type ShapeOf, atLeastOne, timeMs, zeroOrMore } from "./scenario-options.ts";
import type { ValidatedIterations } from "./validated-scenario.ts";
import type { CertainVus } from "./load-model.ts";
import { defaultMaxDurationMs } from "./override.ts";
import type { DrivenVu, IterationCaller } from "./scenario-share.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

type Bound = Pick<ValidatedIterations, "maxDurationMs">;

/** The common parts of closed models with a number of iterations. */
export const countedModel: {
  readonly isEven: false;
  readonly peakVus: (scenario: ValidatedIterations) => number;
  readonly certainVus: (scenario: ValidatedIterations) => CertainVus;
  readonly activeMs: (pacing: Bound) => number;
  readonly arrivalsOf: () => null;
} = {
  isEven: false,
  peakVus: ({ vus }) => vus,
  certainVus: ({ vus }) => ({ vus, fromMs: 0, untilMs: 0 }),
  activeMs: ({ maxDurationMs }) => maxDurationMs,
  arrivalsOf: () => null,
};

/** Describes `maxDuration` if it differs from the default. */
export function describeMaxDuration({ maxDurationMs }: Bound): string[] {
  return maxDurationMs === defaultMaxDurationMs ? [] : [`in at most ${formatPlanned(maxDurationMs)}`];
}

type IterationsLoad = Pick<ValidatedIterations, "vus" | "iterations" | "maxDurationMs">;

interface IterationsOptions {
  readonly vus: number;
  readonly iterations: number;
  readonly maxDuration: number;
}

export const iterationsShape: () => ShapeOf<IterationsOptions> = once(() => ({
  vus: atLeastOne().default(1),
  iterations: atLeastOne().default(1),
  maxDuration: durationSchema().default(defaultMaxDurationMs),
}));

export function validIterations({ vus, iterations, maxDuration }: IterationsOptions): IterationsLoad {
  return { vus, iterations, maxDurationMs: maxDuration };
}

/** The options that determine the pacing of these iterations. */
export const iterationsPacing: () => ShapeOf<IterationsLoad> = once(() => ({
  vus: zeroOrMore(),
  iterations: zeroOrMore(),
  maxDurationMs: timeMs(),
}));

/** The iterations that a VU runs one after the other. */
export interface LoopedIterations {
  /** False when no iteration is left: the VU then need not rest. */
  hasNext(): boolean;
  /** Returns the number of the next iteration, or null. */
  next(): number | null;
}

/** Runs one iteration after the other until none is left. */
export function loopVu(vu: DrivenVu, turns: TurnKeeper, iterations: LoopedIterations): Promise<void> {
  return new Promise((resolve, reject) => new VuLoop(vu, turns, iterations, resolve, reject).start());
}

/** One object for all iterations of a VU, and no promise between them: a worker may run tens of thousands a second. */
class VuLoop implements IterationCaller {
  readonly #vu: DrivenVu;
  readonly #turns: TurnKeeper;
  readonly #iterations: LoopedIterations;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;

  constructor(
    vu: DrivenVu,
    turns: TurnKeeper,
    iterations: LoopedIterations,
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    this.#vu = vu;
    this.#turns = turns;
    this.#iterations = iterations;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    try {
      const number = this.#iterations.next();
      if (number === null) this.#resolve();
      else this.#vu.iterate({ number, intendedMs: null, offeredMs: null }, this);
    } catch (error) {
      this.#reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onIterationEnded(): void {
    const pause = (this.#iterations.hasNext() ? this.#vu.rest() : null) ?? this.#turns.due();
    if (pause === null) this.start();
    else void pause.then(() => this.start());
  }
}
