import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { escapeHtml, printable } from "@bearhug/text/printable";

import { comparisonPageData } from "./compare-data.ts";
import { gatherPageData } from "./gather-page-data.ts";
import type { PageData } from "./page-data.ts";

/** The script and the style of the page, as built from `report-page/`. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * Renders a result as one self-contained page: no network, no other files. Its content-security policy allows
 * only the page's own script and style, by their hashes. Everything from the result is data, which the script
 * shows as text.
 */
export function renderHtml(result: TestResult, assets: PageAssets = readAssets()): string {
  return writePage(gatherPageData(result), assets);
}

/** Renders the same page for a comparison. */
export function renderComparisonHtml(
  comparison: ComparisonResult,
  assets: PageAssets = readAssets(),
): string {
  return writePage(comparisonPageData(comparison), assets);
}

/** Renders the page of these data. Only the page of a live run may connect, and only to its own server. */
export function writePage(data: PageData, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    ...(data.isRunning ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="bearhug">
<title>${escapeHtml(printable(data.title))}: ${escapeHtml(data.verdict.word)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This report needs JavaScript to show its charts and tables.</noscript>
<script type="application/json" id="data">${writePageData(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${hash("sha256", text, "base64")}`;
}

/**
 * Writes the data as JSON on one line. It cannot end the script element, and deceptive characters are
 * escaped.
 */
export function writePageData(data: PageData): string {
  const json = JSON.stringify(data, (_, value: unknown) =>
    typeof value === "string" ? escapeLines(value) : value,
  );
  return json.replaceAll("<", "\\u003c");
}

function escapeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => printable(line))
    .join("\n");
}

/** Reads the built script and style of the page. */
export function readAssets(): PageAssets {
  return { script: readBuilt("report-page.js"), style: readBuilt("report-page.css") };
}

function readBuilt(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`#report-page/${name}`)), "utf8");
}
