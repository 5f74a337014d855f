import type { SinkRequest } from "@bearhug/report/sinks/sink";
import type { IntervalSnapshot, Reporter, RunDescription, TestResult } from "@bearhug/sdk";

/** The work of a thread: the bundle of a user's reporter, or a sink. */
export type ReporterThreadStart =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "sink"; readonly sink: SinkRequest };

/** An event of a run, for a reporter in its own thread. */
export type ReporterEvent =
  | { readonly type: "start"; readonly run: RunDescription }
  | { readonly type: "interval"; readonly snapshot: IntervalSnapshot }
  | { readonly type: "end"; readonly result: TestResult };

/** `ping` requests a sign of life. */
export type ToReporterThread = ReporterEvent | { readonly type: "ping" };

export type FromReporterThread =
  /** The reporter is ready to receive events. */
  | { readonly type: "ready"; readonly wantsSeries: boolean }
  | { readonly type: "pong" }
  /** The reporter has handled one snapshot. */
  | { readonly type: "handled" }
  /** `during`: the event whose function threw; null if the file could not be loaded. */
  | { readonly type: "threw"; readonly during: keyof typeof handlers | null; readonly message: string }
  /** A problem of a sink: `warning` is shown at once, `loss` is added to the result. */
  | { readonly type: "warning" | "loss"; readonly text: string }
  | { readonly type: "ended" };

/** The reporter's function for each event. */
export const handlers = { start: "onStart", interval: "onInterval", end: "onEnd" } as const;

/**
 * True for an object with at least one of a reporter's functions; any property with such a name must be a
 * function.
 */
export function isReporter(value: unknown): value is Reporter {
  if (typeof value !== "object" || value === null) return false;
  const given = Object.values(handlers)
    .map((name): unknown => Reflect.get(value, name))
    .filter((one) => one !== undefined);
  return given.length > 0 && given.every((one) => typeof one === "function");
}
