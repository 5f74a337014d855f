import type { SeriesDelta } from "./snapshot.ts";
import { Trend } from "./trend.ts";

const maxIntervals = 600;
const secondMs = 1000;

/** What happened in one stretch of the run. */
export interface Interval {
  vus: number;
  requests: number;
  failedRequests: number;
  iterations: number;
  dropped: number;
  bytes: number;
  readonly duration: Trend;
  readonly responseTime: Trend;
}

/** The run in equal stretches: seconds at first, twice as long each time there would be more than 600. */
export class Timeline {
  #secondsPerInterval = 1;
  #intervals: Interval[] = [];

  get widthMs(): number {
    return this.#secondsPerInterval * secondMs;
  }

  get intervals(): readonly Interval[] {
    return this.#intervals;
  }

  /** Adds what a worker gathered in one second of the run. */
  add(second: number, deltas: readonly SeriesDelta[]): void {
    const interval = this.at(second);
    for (const { metrics } of deltas) {
      interval.requests += totalOf(metrics["http_reqs"]);
      interval.iterations += totalOf(metrics["iterations"]);
      interval.dropped += totalOf(metrics["dropped_iterations"]);
      interval.bytes += totalOf(metrics["data_received"]);
      const failed = metrics["http_req_failed"];
      if (failed?.type === "rate") interval.failedRequests += failed.trues;
      const duration = metrics["http_req_duration"];
      if (duration?.type === "trend") interval.duration.merge(duration);
      const responseTime = metrics["http_req_response_time"];
      if (responseTime?.type === "trend") interval.responseTime.merge(responseTime);
    }
  }

  /** The interval that a second falls into. */
  at(second: number): Interval {
    while (Math.floor(second / this.#secondsPerInterval) >= maxIntervals) this.#widen();
    const index = Math.floor(second / this.#secondsPerInterval);
    while (this.#intervals.length <= index) this.#intervals.push(emptyInterval());
    return this.#intervals[index] ?? emptyInterval();
  }

  #widen(): void {
    this.#secondsPerInterval *= 2;
    const wider: Interval[] = [];
    for (const [index, interval] of this.#intervals.entries()) {
      const into = wider[Math.floor(index / 2)];
      if (into === undefined) wider.push(interval);
      else mergeInterval(into, interval);
    }
    this.#intervals = wider;
  }
}

function emptyInterval(): Interval {
  return {
    vus: 0,
    requests: 0,
    failedRequests: 0,
    iterations: 0,
    dropped: 0,
    bytes: 0,
    duration: new Trend(2),
    responseTime: new Trend(2),
  };
}

function mergeInterval(into: Interval, later: Interval): void {
  into.vus = later.vus;
  into.requests += later.requests;
  into.failedRequests += later.failedRequests;
  into.iterations += later.iterations;
  into.dropped += later.dropped;
  into.bytes += later.bytes;
  into.duration.merge(later.duration.toDelta());
  into.responseTime.merge(later.responseTime.toDelta());
}

function totalOf(delta: SeriesDelta["metrics"][string] | undefined): number {
  return delta?.type === "counter" ? delta.total : 0;
}
