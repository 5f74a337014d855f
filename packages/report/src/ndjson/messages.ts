import type { SampleKind } from "@bearhug/plan/protocol/shared-samples";
import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";

/** The input of the writing thread. */
export interface NdjsonStart {
  readonly path: string;
  readonly hasSamples: boolean;
}

/** Coordinator → writing thread. */
export type ToNdjsonThread =
  | { readonly type: "run"; readonly run: RunDescription }
  | { readonly type: "interval"; readonly snapshot: IntervalSnapshot }
  | { readonly type: "join"; readonly workerId: number; readonly ring: SharedArrayBuffer }
  | { readonly type: "define"; readonly workerId: number; readonly kind: SampleKind }
  | { readonly type: "end"; readonly end: RunEnd };

export type RunEnd = Pick<TestResult, "verdict" | "exitCode" | "messages" | "notes" | "partial">;

/** Writing thread → coordinator. */
export type FromNdjsonThread =
  | { readonly type: "open" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "ended" };
