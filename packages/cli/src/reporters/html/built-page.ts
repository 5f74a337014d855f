import { readFileSync } from "node:fs";

import type { TestResult } from "@bearhug/sdk";

import { renderHtml } from "./render-html.ts";

/** The HTML report of a result, with the script and the style that `pnpm build` made. */
export function renderBuiltPage(result: TestResult): string {
  return renderHtml(result, { script: readBuilt("report-page.js"), style: readBuilt("report-page.css") });
}

function readBuilt(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`#report-page/${name}`)), "utf8");
}
