import type { ErrorRecord } from "@bearhug/metrics/error-log";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { RunningTotals } from "@bearhug/metrics/thresholds/running-totals";
import { ThresholdWindows } from "@bearhug/metrics/thresholds/windows";
import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";

import type { LoadGauges } from "./account.ts";
import { blockedMetrics } from "./block-store.ts";
import { Collector } from "./collect.ts";
import type { CollectorInput, RecordedPlan, RecordedRun } from "./run-record.ts";

/**
 * Creates a collector for the samples of a run. `onInput` receives each input, so that it can be replayed
 * later.
 */
export function createCollector(
  { plan, thresholds }: Pick<RecordedRun, "plan" | "thresholds">,
  onInput: (input: CollectorInput) => void = () => undefined,
): Collector {
  const judged = thresholds.map(({ threshold }) => threshold);
  const declared = plan ?? { clients: [], metrics: {} };
  return new ObservedCollector(declared, judged, onInput);
}

class ObservedCollector extends Collector {
  readonly #onInput: (input: CollectorInput) => void;

  constructor(
    declared: Pick<RecordedPlan, "clients" | "metrics">,
    thresholds: readonly ValidatedThreshold[],
    onInput: (input: CollectorInput) => void,
  ) {
    const windows = new ThresholdWindows(thresholds, metricCatalog(declared));
    const blocked = blockedMetrics(declared.clients, thresholds);
    super(declared.clients, windows, new RunningTotals(thresholds), blocked);
    this.#onInput = onInput;
  }

  override add(workerId: number, snapshot: WorkerSnapshot): void {
    super.add(workerId, snapshot);
    this.#onInput({ kind: "snapshot", workerId, snapshot });
  }

  override addErrors(errors: readonly ErrorRecord[]): void {
    super.addErrors(errors);
    this.#onInput({ kind: "errors", errors });
  }

  override gauge(second: number, gauges: LoadGauges): void {
    super.gauge(second, gauges);
    this.#onInput({ kind: "gauges", second, gauges });
  }

  override monitor(report: MonitorReport): void {
    super.monitor(report);
    this.#onInput({ kind: "monitor", report });
  }
}

/** Adds a recorded input to a collector. */
export function replay(collector: Collector, input: CollectorInput): void {
  if (input.kind === "snapshot") collector.add(input.workerId, input.snapshot);
  else if (input.kind === "errors") collector.addErrors(input.errors);
  else if (input.kind === "gauges") collector.gauge(input.second, input.gauges);
  else collector.monitor(input.report);
}
