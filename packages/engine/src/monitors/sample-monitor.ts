import type { MonitorReport, Readings } from "@bearhug/plan/monitors/monitor";
import { type ReadSource, type SourceContent, UnreadableSource } from "@bearhug/plan/monitors/reader";
import type { Clock } from "@bearhug/plan/pacing/clock";

import { Rates } from "./rates.ts";

const secondMs = 1000;
/**
 * The moment of reading in each second: before its end, so that a run of whole seconds gets its last reading.
 */
const readAfterMs = 900;
const maxReadMs = 5000;

/** Receives the reports of a monitor. */
export interface MonitorListener {
  onReport(report: MonitorReport): void;
  /** Called once for each chosen family that the source does not have. */
  onMissing(monitor: string, family: string): void;
}

/** Reads one source once a second, never twice at the same time. */
export class MonitorSampler {
  readonly #name: string;
  readonly #read: ReadSource;
  readonly #clock: Clock;
  readonly #listener: MonitorListener;
  readonly #rates = new Rates();
  readonly #missing = new Set<string>();
  #isReading = false;

  constructor(name: string, read: ReadSource, clock: Clock, listener: MonitorListener) {
    this.#name = name;
    this.#read = read;
    this.#clock = clock;
    this.#listener = listener;
  }

  /**
   * Reads at the start of the measured load, as the base of rates, and then in each of its seconds. Seconds
   * that have passed already are gaps.
   */
  begin(atMs: number): void {
    this.#clock.at(atMs, () => void this.#sample(null));
    const current = Math.max(0, Math.floor((this.#clock.now() - atMs) / secondMs));
    for (let second = 0; second < current; second++)
      this.#report(second, {}, "the load generator was too busy to read it");
    this.#arm(atMs, current);
  }

  #arm(startMs: number, second: number): void {
    this.#clock.at(startMs + second * secondMs + readAfterMs, () => {
      this.#arm(startMs, second + 1);
      void this.#sample(second);
    });
  }

  async #sample(second: number | null): Promise<void> {
    if (this.#isReading) {
      this.#report(second, {}, "it had not answered yet");
      return;
    }
    this.#isReading = true;
    try {
      const content = await this.#read(AbortSignal.timeout(maxReadMs));
      this.#reportMissing(content);
      const readings = this.#rates.read(content.quantities, content.atMs);
      // A source with only counters has no readings before their first growth.
      if (Object.keys(readings).length > 0) this.#report(second, readings, null);
    } catch (error) {
      this.#report(second, {}, error instanceof UnreadableSource ? error.message : String(error));
    } finally {
      this.#isReading = false;
    }
  }

  #report(second: number | null, readings: Readings, gap: string | null): void {
    if (second !== null) this.#listener.onReport({ second, monitor: this.#name, readings, gap });
  }

  #reportMissing({ missing }: SourceContent): void {
    for (const family of missing) {
      if (this.#missing.has(family)) continue;
      this.#missing.add(family);
      this.#listener.onMissing(this.#name, family);
    }
  }
}
