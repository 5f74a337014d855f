import { readFileSync } from "node:fs";

import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";

import { type PageAssets, renderComparisonHtml, renderHtml } from "./render-html.ts";

/** Renders the HTML report of a result, with the script and the style that `pnpm build` made. */
export function renderBuiltPage(result: TestResult): string {
  return renderHtml(result, readAssets());
}

/** Renders the HTML report of a comparison. */
export function renderBuiltComparison(comparison: ComparisonResult): string {
  return renderComparisonHtml(comparison, readAssets());
}

/** Reads the built script and style of the page. */
export function readAssets(): PageAssets {
  return { script: readBuilt("report-page.js"), style: readBuilt("report-page.css") };
}

function readBuilt(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`#report-page/${name}`)), "utf8");
}
