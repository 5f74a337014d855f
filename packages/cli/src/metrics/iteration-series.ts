import type { Counter } from "./counter.ts";
import type { Rate } from "./rate.ts";
import type { Series } from "./registry.ts";
import type { Trend } from "./trend.ts";

/** An iteration that ended by itself, as it is recorded; times in ms. */
export interface IterationSample {
  readonly hasFailed: boolean;
  /** The hard stop cut it off while a request of it had no answer: its times are lower bounds. */
  readonly isCutOff: boolean;
  readonly durationMs: number;
  readonly responseTimeMs: number;
}

/** The accumulators that every iteration feeds, looked up once per scenario. */
export class IterationSeries {
  readonly #iterations: Counter;
  readonly #duration: Trend;
  readonly #responseTime: Trend;
  readonly #failed: Rate;

  constructor(series: Series) {
    this.#iterations = series.counter("iterations");
    this.#duration = series.trend("iteration_duration");
    this.#responseTime = series.trend("iteration_response_time");
    this.#failed = series.rate("iteration_failed");
  }

  record({ hasFailed, isCutOff, durationMs, responseTimeMs }: IterationSample): void {
    this.#iterations.add(1);
    if (isCutOff) {
      this.#duration.addLowerBound(durationMs);
      this.#responseTime.addLowerBound(responseTimeMs);
    } else {
      this.#duration.add(durationMs);
      this.#responseTime.add(responseTimeMs);
    }
    this.#failed.add(hasFailed);
  }
}
