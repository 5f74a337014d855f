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
}
