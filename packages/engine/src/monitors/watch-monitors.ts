import { Worker } from "node:worker_threads";

import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { MonitorRequest } from "@bearhug/plan/monitors/monitor-kinds";
import { errorMessage } from "@bearhug/text/caught-error";

import type { FromMonitorsThread, MonitorsStart, ToMonitorsThread } from "./messages.ts";

/** The monitors of a run. They have their own thread, so that they and the load do not delay each other. */
export interface MonitorsWatch {
  /** Resolves when the thread can read monitors, or has failed: a load that begins before has gaps. */
  readonly ready: Promise<void>;
  /** Announces the clock's time at which the measured load begins. */
  begin(atMs: number): void;
  end(): void;
}

export interface MonitorsListener {
  readonly onReport: (report: MonitorReport) => void;
  /** Receives a sentence. */
  readonly onWarning: (text: string) => void;
}

/**
 * Starts the monitors. Failed readings leave gaps; each reason of a monitor is reported once, as a warning.
 */
export function watchMonitors(
  requests: readonly MonitorRequest[],
  { onReport, onWarning }: MonitorsListener,
): MonitorsWatch {
  if (requests.length === 0)
    return { ready: Promise.resolve(), begin: () => undefined, end: () => undefined };
  const ready: PromiseWithResolvers<void> = Promise.withResolvers();
  const warnings = new Set<string>();
  const sources = new Map(requests.map(({ name, source }) => [name, source]));
  const start: MonitorsStart = { requests };
  const worker = new Worker(entry, { workerData: start });
  worker.on("message", (message: FromMonitorsThread) => {
    if (message.type === "ready") {
      ready.resolve();
      return;
    }
    if (message.type === "missing") {
      onWarning(`monitor ${message.monitor}: ${sources.get(message.monitor) ?? ""} has no ${message.family}`);
      return;
    }
    const { monitor, gap } = message.report;
    onReport(message.report);
    if (gap === null) return;
    const warning = `monitor ${monitor} has a gap: ${sources.get(monitor) ?? ""}: ${gap}`;
    if (!warnings.has(warning)) onWarning(warning);
    warnings.add(warning);
  });
  worker.on("error", (error) => {
    onWarning(`monitors ended early: ${errorMessage(error)}`);
    ready.resolve();
  });
  return {
    ready: ready.promise,
    begin: (atMs) => {
      const message: ToMonitorsThread = { type: "begin", atMs };
      worker.postMessage(message);
    },
    end: () => {
      worker.removeAllListeners("message");
      void worker.terminate();
    },
  };
}

/** TypeScript in the source tree, JavaScript in the published package: package.json maps `#monitors`. */
const entry = new URL(import.meta.resolve("#monitors"));
