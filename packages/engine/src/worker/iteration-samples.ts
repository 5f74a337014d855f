import type { Rate } from "@bearhug/metrics/accumulator";
import type { Series } from "@bearhug/metrics/registry";
import type { Scope } from "@bearhug/metrics/scope";

import type { VuTimeSample } from "./vu-time.ts";

/** The recorded values of an iteration that was not interrupted; times in ms. */
export interface IterationSample {
  readonly hasFailed: boolean;
  /** The hard stop cut it off while one of its requests was unanswered: its times are lower bounds. */
  readonly isCutOff: boolean;
  readonly durationMs: number;
  readonly responseTimeMs: number;
}

/** Records the iterations of a scenario. */
export class IterationSamples {
  readonly #scope: Scope;
  #series: IterationSeries | null = null;
  #time: Rate | null = null;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Records the time of a VU, however its iteration ended. */
  recordTime(time: VuTimeSample | null): void {
    if (time === null) return;
    this.#time ??= this.#scope.series.rate("vu_time_lost");
    this.#time.addShare(time.lostUs, time.totalUs);
  }

  record({ hasFailed, isCutOff, durationMs, responseTimeMs }: IterationSample): void {
    const { iterations, duration, responseTime, failed } = (this.#series ??= iterationSeries(
      this.#scope.series,
    ));
    iterations.add(1);
    duration.addMeasured(durationMs, isCutOff);
    responseTime.addMeasured(responseTimeMs, isCutOff);
    failed.add(hasFailed);
  }

  /** Corrects an iteration that was recorded as completed and then failed. */
  correct(): void {
    this.#series?.failed.correct();
  }
}

type IterationSeries = ReturnType<typeof iterationSeries>;

/** Looks up the series that every iteration adds to, once per scenario. */
function iterationSeries(series: Series) {
  return {
    iterations: series.counter("iterations"),
    duration: series.trend("iteration_duration"),
    responseTime: series.trend("iteration_response_time"),
    failed: series.rate("iteration_failed"),
  };
}
