import type { TestResult } from "@bearhug/sdk";

import { describeSearch, trialTable } from "../model/capacity.ts";
import type { Style } from "./style.ts";
import { listLines, tableLines } from "./table-section.ts";

/** The search for the capacity: its confirmation, what limits, and every trial. */
export function renderCapacity({ capacity }: TestResult, style: Style): string[] {
  if (capacity === undefined) return [];
  return [
    style.heading("Capacity"),
    ...listLines(describeSearch(capacity), style),
    ...tableLines(trialTable(capacity), style),
  ];
}
