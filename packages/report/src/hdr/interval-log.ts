import { mergeHistograms } from "@bearhug/metrics/merge-histograms";
import type { TestResult } from "@bearhug/sdk";
import { asLines } from "@bearhug/text/as-lines";

import { responseTimes, type ResponseTimes, type TimedHistogram } from "./response-times.ts";

/**
 * Renders the response times of a run as a log of HdrHistogram (.hlog): a histogram for each interval, in
 * microseconds. Those of clients other than HTTP are tagged with the client's name; readers skip tagged
 * histograms unless the tag is selected.
 */
export function renderIntervalLog(result: TestResult): string {
  const { startedAt, tool } = result;
  const startSeconds = Date.parse(startedAt) / 1000;
  const lines = responseTimes(result).flatMap(({ client, intervals }) =>
    intervals.map((interval) => ({ startMs: interval.startMs, line: renderInterval(client, interval) })),
  );
  lines.sort((left, right) => left.startMs - right.startMs);
  return asLines([
    `#[Logged by ${tool.name} ${tool.version}]`,
    "#[Response times in microseconds; Interval_Max in milliseconds]",
    "#[Histogram log format version 1.3]",
    `#[StartTime: ${startSeconds.toFixed(3)} (seconds since epoch), ${new Date(startedAt).toUTCString()}]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ...lines.map(({ line }) => line),
  ]);
}

function renderInterval(client: ResponseTimes["client"], interval: TimedHistogram): string {
  const { startMs, widthMs, encoded } = interval;
  const maxUs = mergeHistograms([interval]).ranges().at(-1)?.highest ?? 0;
  const tag = client === null ? "" : `Tag=${client.replaceAll(/[\s,]/g, "_")},`;
  return `${tag}${inThousands(startMs)},${inThousands(widthMs)},${inThousands(maxUs)},${encoded}`;
}

/** Converts milliseconds to seconds, or microseconds to milliseconds. */
function inThousands(value: number): string {
  return (value / 1000).toFixed(3);
}
