import { gzipSync } from "node:zlib";

import type { TestResult } from "@bearhug/sdk";

import type { DownloadFacts } from "./page-facts.ts";

/** The page has less than 2 MB; charts and tables of the largest run need about half of it. */
const roomForResult = 1_000_000;

/** The result for the page to hand out; without its series' histograms, or without series, where it takes too many characters. */
export function gatherDownload(result: TestResult, mostCharacters: number = roomForResult): DownloadFacts {
  const fileName = "result.json";
  const whole = compress(result);
  if (whole.length <= mostCharacters) return { fileName, gzipped: whole, note: "" };
  const series = result.series.map((one) => ({ ...one, histogram: null }));
  const withoutHistograms = compress({ ...result, series });
  const note = "Histograms of single series are left out to keep this page small: --out json writes them.";
  if (withoutHistograms.length <= mostCharacters) return { fileName, gzipped: withoutHistograms, note };
  const gzipped = compress({ ...result, series: [] });
  return {
    fileName,
    gzipped,
    note: "Single series are left out to keep this page small: --out json writes them.",
  };
}

function compress(result: TestResult): string {
  return gzipSync(JSON.stringify(result)).toString("base64");
}
