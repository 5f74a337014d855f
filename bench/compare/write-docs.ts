import { readFileSync, writeFileSync } from "node:fs";

import { formatText } from "../../tools/format-text.mjs";
import { renderChart } from "./chart.ts";
import { renderComparison } from "./markdown.ts";
import type { BenchResults } from "./results.ts";

const page = new URL("../../docs/performance.md", import.meta.url);
const chart = new URL("../../docs/images/performance.svg", import.meta.url);
const [begin, end] = ["<!-- comparison: written by pnpm bench --docs -->", "<!-- /comparison -->"];

export function readResults(path: string): BenchResults {
  return JSON.parse(readFileSync(path, "utf8")) as BenchResults;
}

export async function writeResults(path: string, results: BenchResults): Promise<void> {
  writeFileSync(path, await formatText(path, JSON.stringify(results)));
}

/** Replaces the comparison in docs/performance.md, and its chart. */
export async function writeDocs(results: BenchResults): Promise<void> {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md lacks ${begin} and ${end}.`);
  const written = `${text.slice(0, from)}${begin}\n\n${renderComparison(results)}\n\n${text.slice(to)}`;
  writeFileSync(page, await formatText("performance.md", written));
  writeFileSync(chart, renderChart(results));
  console.log("Written: docs/performance.md, docs/images/performance.svg");
}
