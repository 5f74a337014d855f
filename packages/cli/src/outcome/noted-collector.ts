import type { WorkerSnapshot } from "../protocol/messages.ts";
import type { CollectorInput, LoadGauges } from "./run-record.ts";
import type { ThresholdWindows } from "../thresholds/windows.ts";
import { Collector } from "./collect.ts";

/** A collector that hands on all that it is given, so that another one can learn the same from it. */
export class NotedCollector extends Collector {
  readonly #note: (input: CollectorInput) => void;

  constructor(windows: ThresholdWindows, note: (input: CollectorInput) => void) {
    super(windows);
    this.#note = note;
  }

  override add(workerId: number, snapshot: WorkerSnapshot): void {
    super.add(workerId, snapshot);
    this.#note({ kind: "snapshot", workerId, snapshot });
  }

  override gauge(second: number, gauges: LoadGauges): void {
    super.gauge(second, gauges);
    this.#note({ kind: "gauges", second, gauges });
  }
}

/** Gives a collector what another one was given. */
export function replay(collector: Collector, input: CollectorInput): void {
  if (input.kind === "snapshot") collector.add(input.workerId, input.snapshot);
  else collector.gauge(input.second, input.gauges);
}
