import { gzipSync } from "node:zlib";

import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";

import type { DownloadData } from "./page-data.ts";

/** A page stays below 2 MB. The charts and tables of the largest run need about half of that. */
const roomForResult = 1_000_000;

/**
 * Compresses the result for download from the page; without its series' histograms, or without series, if it
 * has too many characters.
 */
export function gatherDownload(result: TestResult, mostCharacters: number = roomForResult): DownloadData {
  const named = { label: "Result as JSON", fileName: "result.json" };
  const whole = compress(result);
  if (whole.length <= mostCharacters) return { ...named, gzipped: whole, note: "" };
  const series = result.series.map((one) => ({ ...one, histogram: null }));
  const withoutHistograms = compress({ ...result, series });
  const note = "Histograms of single series are left out to keep this page small: --out json writes them.";
  if (withoutHistograms.length <= mostCharacters) return { ...named, gzipped: withoutHistograms, note };
  const gzipped = compress({ ...result, series: [] });
  return {
    ...named,
    gzipped,
    note: "Single series are left out to keep this page small: --out json writes them.",
  };
}

/** A comparison is small enough to download whole. */
export function downloadComparison(comparison: ComparisonResult): DownloadData {
  return {
    label: "Comparison as JSON",
    fileName: "comparison.json",
    gzipped: compress(comparison),
    note: "",
  };
}

function compress(result: TestResult | ComparisonResult): string {
  return gzipSync(JSON.stringify(result)).toString("base64");
}
