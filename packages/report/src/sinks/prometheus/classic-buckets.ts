import type { BaseUnit } from "../base-units.ts";
import type { Distribution } from "../totals.ts";

/** Upper bounds of buckets, in base units; a last one without a bound follows. */
const bounds: Readonly<Record<"seconds" | "bytes" | "plain", readonly number[]>> = {
  seconds: [
    0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3,
    0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 60,
  ],
  bytes: Array.from({ length: 12 }, (_, power) => 256 * 4 ** power),
  plain: Array.from({ length: 10 }, (_, power) => power - 3).flatMap((power) =>
    [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
  ),
};

/** Counts by fixed bounds, which Prometheus calls a classic histogram. */
export class ClassicBuckets implements Distribution<ClassicBuckets> {
  readonly bounds: readonly number[];
  /** The count of each bucket alone; the unbounded bucket comes last. */
  readonly counts: number[];

  constructor(unit: BaseUnit) {
    this.bounds = bounds[unit === "seconds" || unit === "bytes" ? unit : "plain"];
    this.counts = Array.from({ length: this.bounds.length + 1 }, () => 0);
  }

  add(value: number, count: number): void {
    const found = this.bounds.findIndex((bound) => value <= bound);
    const index = found === -1 ? this.bounds.length : found;
    this.counts[index] = (this.counts[index] ?? 0) + count;
  }

  merge(other: ClassicBuckets): void {
    for (const [index, count] of other.counts.entries())
      this.counts[index] = (this.counts[index] ?? 0) + count;
  }
}
