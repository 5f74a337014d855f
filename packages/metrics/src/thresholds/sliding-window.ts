import {
  accumulatorFor,
  deltaOf,
  mergeDelta,
  type Accumulator,
  type MetricDelta,
  createAccumulator,
} from "../accumulator.ts";
import type { MetricInfo } from "../metric-catalog.ts";
import { Trend } from "../trend.ts";
import type { ValidatedThreshold } from "./read-threshold.ts";
import {
  evaluateCondition,
  type Evaluation,
  operators,
  sampleCount,
  type ThresholdOperator,
} from "./threshold-language.ts";

const secondMs = 1000;
/** More deltas of a second than this are merged at once: there may be many shards. */
const maxSeparateDeltas = 16;

/** The evaluation of a threshold in one full window. */
export interface WindowReading extends Evaluation {
  /** After the start of the load. */
  readonly endMs: number;
  readonly actual: number;
}

/**
 * A threshold that is evaluated on each full window of its width. It stores no more than the
 * seconds of one window.
 */
export class SlidingWindow {
  readonly #threshold: ValidatedThreshold;
  readonly #widthMs: number;
  /** The seconds of the latest window, all of which are over. */
  readonly #latest: WindowContents;
  /** Seconds that are not over yet. */
  readonly #coming = new Map<number, MetricDelta[]>();
  #secondsOver = 0;
  /** Windows that may not be full: it is not known yet whether iterations were started up to their end. */
  #undecided: WindowReading[] = [];
  #worst: WindowReading | null = null;
  #hasSamples = false;
  /** The latest full window, once seconds after it are over. */
  #lastFull: MetricDelta | null = null;
  /** The seconds after it that are over, each with its samples. */
  #sinceFull: (readonly MetricDelta[])[] = [];

  constructor(
    threshold: ValidatedThreshold,
    metric: Pick<MetricInfo, "type" | "precision">,
    widthMs: number,
  ) {
    this.#threshold = threshold;
    this.#widthMs = widthMs;
    this.#latest = new WindowContents(metric);
  }

  /** The first window that failed, or the worst one so far; null if none was full. */
  get reading(): WindowReading | null {
    return this.#worst;
  }

  /** True if a window failed in a run that has samples. */
  get hasFailed(): boolean {
    return this.#hasSamples && this.#worst?.passed === false;
  }

  /** The number of seconds kept: those of the latest window, and those that are not over. */
  get secondsKept(): number {
    return this.#latest.seconds + this.#coming.size;
  }

  /**
   * Adds the samples of one second, counted from 0. Samples that arrive too late count in the first
   * second that is not over.
   */
  add(second: number, delta: MetricDelta): void {
    this.#hasSamples = true;
    if (this.#worst?.passed === false) return;
    const at = Math.max(second, this.#secondsOver);
    const known = this.#coming.get(at);
    if (known === undefined) this.#coming.set(at, [delta]);
    else if (known.length < maxSeparateDeltas) known.push(delta);
    else this.#coming.set(at, [deltaOf(mergeDeltas(delta, known))]);
  }

  /** Evaluates the windows that end with the first `secondsOver` seconds, and within `fullUntilMs`. */
  advance(secondsOver: number, fullUntilMs: number): void {
    const fullSeconds = Math.floor(fullUntilMs / secondMs);
    while (this.#secondsOver < secondsOver && this.#worst?.passed !== false) {
      if (this.#secondsOver === fullSeconds) {
        this.#lastFull = this.#fullWindow();
        this.#sinceFull = [];
      }
      if (this.#lastFull !== null) this.#sinceFull.push(this.#coming.get(this.#secondsOver) ?? []);
      this.#closeSecond();
    }
    this.#decide(fullUntilMs);
  }

  /**
   * Ends the evaluation. What the last full window started may end after it, and the slowest requests do: so
   * the samples after it count in it, up to each second, lest fast ones hide slow ones before them.
   */
  finish(fullUntilMs: number): void {
    const fullSeconds = Math.floor(fullUntilMs / secondMs);
    this.advance(fullSeconds, fullUntilMs);
    const isLast = this.#secondsOver === fullSeconds;
    const window = isLast ? this.#fullWindow() : this.#lastFull;
    if (window === null || !this.#isOfSamples(window)) return;
    const merged = mergeDeltas(window, []);
    const coming = [...this.#coming].sort(([first], [second]) => first - second).map(([, deltas]) => deltas);
    for (const deltas of [...(isLast ? [] : this.#sinceFull), ...coming]) {
      if (this.#worst?.passed === false) return;
      for (const delta of deltas) mergeDelta(merged, delta);
      const reading = this.#read(merged, fullSeconds * secondMs);
      if (reading !== null) this.#weigh(reading);
    }
  }

  /** True if the condition is on values or shares of samples, which do not grow with the window as counts do. */
  #isOfSamples({ type }: MetricDelta): boolean {
    return type === "rate" || (type === "trend" && this.#threshold.condition.aggregation.kind !== "count");
  }

  #fullWindow(): MetricDelta | null {
    return this.#latest.seconds === this.#widthMs / secondMs ? deltaOf(this.#latest.merged()) : null;
  }

  #closeSecond(): void {
    this.#latest.push(this.#coming.get(this.#secondsOver) ?? []);
    this.#coming.delete(this.#secondsOver);
    this.#secondsOver++;
    const width = this.#widthMs / secondMs;
    if (this.#latest.seconds > width) this.#latest.shift();
    if (this.#latest.seconds < width) return;
    const reading = this.#read(this.#latest.merged(), this.#secondsOver * secondMs);
    if (reading !== null) this.#undecided.push(reading);
  }

  #read(merged: Accumulator, endMs: number): WindowReading | null {
    const { condition } = this.#threshold;
    if (sampleCount(merged) === 0 && !isCounted(merged, condition.aggregation.kind)) return null;
    const { actual, ...evaluation } = evaluateCondition(condition, merged, this.#widthMs);
    return actual === null ? null : { ...evaluation, actual, endMs };
  }

  #decide(fullUntilMs: number): void {
    let [next] = this.#undecided;
    while (next !== undefined && next.endMs <= fullUntilMs) {
      this.#undecided.shift();
      this.#weigh(next);
      [next] = this.#undecided;
    }
  }

  #weigh(reading: WindowReading): void {
    const { operator } = this.#threshold.condition;
    if (this.#worst === null || !reading.passed || isWorse(reading.actual, this.#worst.actual, operator))
      this.#worst = reading;
    if (reading.passed) return;
    this.#latest.clear();
    this.#undecided = [];
    this.#sinceFull = [];
    this.#coming.clear();
  }
}

function mergeDeltas(first: MetricDelta, others: readonly MetricDelta[]): Accumulator {
  const merged = accumulatorFor(first);
  for (const delta of [first, ...others]) mergeDelta(merged, delta);
  return merged;
}

/** Returns true if having no samples means 0, rather than nothing to evaluate. */
function isCounted({ type }: Accumulator, aggregation: string): boolean {
  return type === "counter" || aggregation === "count";
}

function isWorse(actual: number, than: number, operator: ThresholdOperator): boolean {
  const { limits } = operators[operator];
  if (limits === null) return true;
  return limits === "above" ? actual > than : actual < than;
}

/** The samples of one metric in consecutive seconds, the oldest of which can be removed. */
class WindowContents {
  readonly #metric: Pick<MetricInfo, "type" | "precision">;
  #seconds: (readonly MetricDelta[])[] = [];
  /** Kept up to date, since merging the histograms of an hour's window anew takes more than a second. */
  #trend: Trend;

  constructor(metric: Pick<MetricInfo, "type" | "precision">) {
    this.#metric = metric;
    this.#trend = new Trend(metric.precision);
  }

  get seconds(): number {
    return this.#seconds.length;
  }

  push(deltas: readonly MetricDelta[]): void {
    this.#seconds.push(deltas);
    for (const delta of deltas) if (delta.type === "trend") this.#trend.merge(delta);
  }

  /** Removes the oldest second. */
  shift(): void {
    const left = this.#seconds.shift() ?? [];
    const remaining = this.#seconds.flat().filter((delta) => delta.type === "trend");
    for (const delta of left) if (delta.type === "trend") this.#trend.unmerge(delta, remaining);
  }

  merged(): Accumulator {
    const { type, precision } = this.#metric;
    if (type === "trend") return this.#trend;
    const merged = createAccumulator(type, precision);
    for (const delta of this.#seconds.flat()) mergeDelta(merged, delta);
    return merged;
  }

  clear(): void {
    this.#seconds = [];
    this.#trend = new Trend(this.#metric.precision);
  }
}
