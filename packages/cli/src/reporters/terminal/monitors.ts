import type { TestResult } from "@bearhug/sdk";

import { describeGaps, gaugeTable } from "../model/monitors.ts";
import type { Style } from "./style.ts";
import { tableLines, warningLines } from "./table-section.ts";

/** The gauges of servers and processes beside the load, and when they could not be read. */
export function renderMonitors(result: TestResult, style: Style): string[] {
  if (result.monitors.length === 0) return [];
  const table = gaugeTable(result);
  return [
    style.heading(table.title),
    ...tableLines(table, style),
    ...warningLines(describeGaps(result), style),
  ];
}
