import { type MetricDelta, Counter, Rate } from "./accumulator.ts";
import { Trend } from "./trend.ts";

/** One operation of a turn, after it has ended; times in ms. */
export interface TurnOperation {
  readonly hasFailed: boolean;
  /** Null if no connection opened. */
  readonly timeMs: number | null;
  /** True if the time was cut off: it is a lower bound. */
  readonly isCutOff: boolean;
  readonly bytesReceived: number;
  /** The size of the response's body as received; null without a response. */
  readonly bodyBytes: number | null;
  /** The size of the decoded body, if known. */
  readonly decodedBytes: number | null;
}

/**
 * Everything that is measured in one variant's turn of a block. Iterations may end, and operations with them,
 * long after the turn.
 */
export class TurnTally {
  readonly block: number;
  readonly variant: number;
  readonly #metrics = {
    /** The sum is the time that virtual users spent in iterations. */
    iterations: new Counter(),
    failed: new Rate(),
    times: new Trend(3),
    bytesReceived: new Counter(),
    bodyBytes: new Counter(),
    /** The sum over the bodies whose decoded size is known. */
    decodedBytes: new Counter(),
    encodedBytes: new Counter(),
  };
  readonly #onFirst: (tally: TurnTally) => void;
  #isEmpty = true;

  /** `onFirst` is called when an empty tally gets its first entry. */
  constructor(block: number, variant: number, onFirst: (tally: TurnTally) => void) {
    this.block = block;
    this.variant = variant;
    this.#onFirst = onFirst;
  }

  addIteration(durationMs: number): void {
    this.#note();
    this.#metrics.iterations.add(durationMs);
  }

  addOperation(operation: TurnOperation): void {
    const { hasFailed, timeMs, isCutOff, bytesReceived, bodyBytes, decodedBytes } = operation;
    const { failed, times, bytesReceived: received, bodyBytes: bodies } = this.#metrics;
    this.#note();
    failed.add(hasFailed);
    received.add(bytesReceived);
    if (timeMs !== null) times.addMeasured(timeMs, isCutOff);
    if (bodyBytes === null) return;
    bodies.add(bodyBytes);
    if (decodedBytes === null) return;
    this.#metrics.decodedBytes.add(decodedBytes);
    this.#metrics.encodedBytes.add(bodyBytes);
  }

  /** Returns everything since the last drain. */
  drain(): Readonly<Record<string, MetricDelta>> {
    this.#isEmpty = true;
    return Object.fromEntries(
      Object.entries(this.#metrics).flatMap(([name, metric]): [string, MetricDelta][] => {
        const delta = metric.drain();
        return delta === null ? [] : [[name, delta]];
      }),
    );
  }

  #note(): void {
    if (!this.#isEmpty) return;
    this.#isEmpty = false;
    this.#onFirst(this);
  }
}
