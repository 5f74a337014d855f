import type { CaptureEntry } from "./capture.ts";

/** An entry with its moment in the recording. */
export interface TimedEntry {
  readonly entry: CaptureEntry;
  /** When it was recorded; of an entry without a date, when the one before it in the file was. null before any date. */
  readonly atMs: number | null;
}

/** An entry that can be sent, its URL understood. */
export interface Visit extends TimedEntry {
  readonly url: URL;
  /** Where redirects led to from here, hop by hop: followed, not asked for. Empty where it is no redirect. */
  readonly hops: readonly Visit[];
}

/** Visits made together: see `CapturedStep`. */
export interface VisitStep {
  readonly kind: "page" | "group";
  readonly name: string;
  readonly waves: readonly VisitWave[];
  readonly recordedMs: number | null;
  readonly thinkAfterMs: number;
}

export interface VisitWave {
  readonly afterMs: number;
  readonly visits: readonly PlannedVisit[];
}

export interface PlannedVisit {
  readonly visit: Visit;
  readonly outlasts: boolean;
  /** From the start of its step to the end of its last hop. */
  readonly recorded: { readonly startMs: number; readonly endMs: number } | null;
}
