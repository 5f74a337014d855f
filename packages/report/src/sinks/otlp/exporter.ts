import type { Clock } from "@bearhug/plan/pacing/clock";
import type { IntervalSeries } from "@bearhug/sdk";

import { Totals } from "../totals.ts";
import { encodeMetrics, type MetricsProducer } from "./encode-metrics.ts";
import { ExponentialBuckets } from "./exponential-buckets.ts";
import type { OtlpOptions } from "./otlp-options.ts";
import { sendMetrics, type Sent } from "./send-metrics.ts";

/**
 * Keeps the measurements of a run until they are delivered. Samples of a failed export are sent with the next
 * one.
 */
export class Exporter {
  readonly #options: OtlpOptions;
  readonly #origin: MetricsProducer;
  readonly #clock: Clock;
  #totals = createTotals();
  /** The time from which `#totals` counts. */
  #startMs: number;
  #hasFolded = false;

  constructor(options: OtlpOptions, origin: MetricsProducer, clock: Clock) {
    this.#options = options;
    this.#origin = origin;
    this.#clock = clock;
    this.#startMs = this.#now();
  }

  get hasFolded(): boolean {
    return this.#hasFolded || this.#totals.hasFolded;
  }

  add(series: readonly IntervalSeries[]): void {
    this.#totals.add(series);
  }

  /** Sends the measurements that are due. Only one export may run at a time. */
  async export(timeoutMs: number): Promise<Sent> {
    const [totals, startMs, endMs] = [this.#totals, this.#startMs, this.#now()];
    const body = encodeMetrics(totals, { startMs, endMs }, this.#origin);
    const isDelta = this.#origin.temporality === "delta";
    if (isDelta) [this.#totals, this.#startMs] = [createTotals(), endMs];
    const sent = await sendMetrics(body, this.#options, timeoutMs, this.#clock);
    if (!isDelta) return sent;
    this.#hasFolded ||= totals.hasFolded;
    if (sent.isDelivered) return sent;
    totals.merge(this.#totals);
    [this.#totals, this.#startMs] = [totals, startMs];
    return sent;
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}

function createTotals(): Totals<ExponentialBuckets> {
  return new Totals(() => new ExponentialBuckets());
}
