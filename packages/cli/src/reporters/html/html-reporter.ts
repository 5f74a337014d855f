import { readFileSync } from "node:fs";

import type { Reporter } from "../reporter.ts";
import { createFileReporter } from "../write-report.ts";
import { type PageAssets, renderHtml } from "./render-html.ts";

/** The report as a page for a browser, as one file. */
export function createHtmlReporter(path: string): Reporter {
  return createFileReporter("html", path, (result) => renderHtml(result, readAssets()));
}

function readAssets(): PageAssets {
  return { script: readBuilt("report-page.js"), style: readBuilt("report-page.css") };
}

/** `pnpm build` writes them. */
function readBuilt(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`#report-page/${name}`)), "utf8");
}
