import { randomUUID } from "node:crypto";

import { every, systemClock } from "@bearhug/plan/pacing/clock";
import type { Reporter } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";

import type { SinkListener } from "../sink-listener.ts";
import { describeFolding } from "../totals.ts";
import { Deliveries } from "./deliveries.ts";
import { Exporter } from "./exporter.ts";
import type { OtlpOptions } from "./otlp-options.ts";

/** The least time for the last export of a run, even if the export before it used up the time for both. */
const leastTimeoutMs = 1000;

/**
 * Sends the metrics of a run to an OpenTelemetry collector, or to another receiver of OTLP, while the run
 * lasts.
 */
export function openOtlp(options: OtlpOptions, listener: SinkListener): Reporter {
  const { temporality, intervalMs, timeoutMs } = options;
  const resource = { ...options.resource, "service.instance.id": randomUUID() };
  const deliveries = new Deliveries(new URL(options.url).host);
  let exporter: Exporter | null = null;
  let exporting: Promise<void> = Promise.resolve();
  let isExporting = false;
  const startExport = async (from: Exporter, withinMs: number): Promise<void> => {
    isExporting = true;
    const warning = deliveries.note(await from.export(withinMs));
    if (warning !== null) listener.warn(warning);
    isExporting = false;
  };
  let endTicks: () => void = () => undefined;
  return {
    wantsSeries: true,
    onStart: ({ test }) => {
      const origin = { resource: { "bearhug.test": test.name, ...resource }, version, temporality };
      const started = new Exporter(options, origin, systemClock);
      exporter = started;
      endTicks = every(systemClock, intervalMs, () => {
        if (!isExporting) exporting = startExport(started, timeoutMs);
      });
    },
    onInterval: ({ series = [] }) => {
      exporter?.add(series);
    },
    onEnd: async () => {
      endTicks();
      if (exporter === null) return;
      const endMs = systemClock.now() + timeoutMs;
      await exporting;
      const leftMs = endMs - systemClock.now();
      await startExport(exporter, Math.max(leftMs, Math.min(leastTimeoutMs, timeoutMs)));
      if (exporter.hasFolded) listener.lose(describeFolding);
      for (const loss of deliveries.describeLoss()) listener.lose(loss);
    },
  };
}
