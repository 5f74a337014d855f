import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration, formatMilliseconds } from "@bearhug/text/duration";
import { expect, test } from "vitest";

import { gatherPageData } from "../src/html/gather-page-data.ts";
import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { describedStep } from "../src/described-step.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { swept } from "./html/swept-result.ts";
import { counterMetric, latencies, resultOf, trendMetric } from "./result-of.ts";

const step = describedStep(swept);
if (step?.times === null || step?.times === undefined) throw new Error("the sweep has no described step");
const { receivedRate, times } = step;

const waited = trendMetric(latencies(100, 20));
/** A run whose responses took half of the users' waiting time, and which continued after the end of the step's load. */
const sweep = resultOf({
  ...swept,
  durationMs: 7000,
  metrics: {
    ...swept.metrics,
    http_req_duration: trendMetric(latencies(100, 10)),
    http_req_response_time: {
      ...waited,
      values: { ...waited.values, "p(50)": times.p50, "p(99)": times.p99 },
    },
    data_received: counterMetric(5 * receivedRate, 7, "bytes"),
  },
});

test("all reports and their parts show the same figures of a sweep's step", () => {
  const { figures, tables } = gatherPageData(sweep);
  const figure = (label: string) => figures.find((one) => one.label === label)?.text;
  const cells = tables.find(({ id }) => id === "sweep-steps")?.rows[5]?.cells.map(({ text }) => text);
  expect(figure("Median time")).toBe(formatDuration(times.p50));
  expect(figure("99th percentile")).toBe(formatDuration(times.p99));
  expect(figure("Received")).toBe(`${formatBytes(receivedRate)}/s`);
  const shown = [times.p50, times.p99].map((ms) => formatMilliseconds(ms));
  expect(cells).toEqual(expect.arrayContaining([...shown, formatBytes(receivedRate)]));
  const hour = `at this rate: ${formatBytes(receivedRate * 3600)} per hour`;
  const terminal = renderSummary(sweep, { colors: false, width: 120, unicode: true });
  for (const text of [terminal, renderMarkdown(sweep)]) {
    expect(text).toContain(hour);
    expect(text).toContain(formatBytes(receivedRate));
    for (const time of shown) expect(text).toContain(time);
  }
});
