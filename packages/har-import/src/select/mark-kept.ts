import type { Capture, CaptureEntry } from "../capture.ts";
import { inRecordedOrder } from "../structure/recorded-order.ts";
import { selectEntries } from "./select-entries.ts";

/** An entry, and whether an import without options keeps it. */
export interface MarkedEntry {
  readonly entry: CaptureEntry;
  readonly isKept: boolean;
}

/** All entries in recorded order. */
export function markKept({ entries }: Capture): readonly MarkedEntry[] {
  const ordered = inRecordedOrder(entries);
  const kept = new Set(selectEntries(ordered).kept.map(({ entry }) => entry));
  return ordered.map(({ entry }) => ({ entry, isKept: kept.has(entry) }));
}
