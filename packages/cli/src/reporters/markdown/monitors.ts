import type { TestResult } from "@bearhug/sdk";

import { describeGaps, gaugeFigures, gaugesOf, gaugeTitles } from "../monitor-words.ts";
import { code, words } from "./escape-markdown.ts";
import { item, section, table } from "./pieces.ts";

/** The gauges of servers and processes beside the load, and when they could not be read. */
export function monitorSection(result: TestResult): string[] {
  const columns = [{ title: "gauge" }, ...gaugeTitles.map((title) => ({ title, isNumber: true }))];
  const rows = gaugesOf(result).map((gauge) => [
    code(gauge.metric),
    ...gaugeFigures(gauge).map(({ text }) => text),
  ]);
  const gaps = describeGaps(result).map((sentence) => item(words(sentence)));
  return section("Monitors", [
    ...table(columns, rows),
    ...(rows.length > 0 && gaps.length > 0 ? ["\n"] : []),
    ...gaps,
  ]);
}
