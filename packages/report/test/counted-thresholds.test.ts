import { expect, test } from "vitest";

import { failedThresholds } from "../../engine/src/outcome/judge-thresholds.ts";
import { annotateResult } from "../src/github/annotations.ts";
import { gatherPageData } from "../src/html/gather-page-data.ts";
import { renderJunit } from "../src/junit/render-junit.ts";
import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { endingOf } from "../../engine/test/outcome/verdict/ending-of.ts";
import { judged, passed } from "./passed-result.ts";
import { resultOf } from "./result-of.ts";

/** The unit in current results, and in earlier ones, which have the unit of the trend. */
const units = [null, "ms"] as const;

test.each(units)("the count of a trend is a plain number in every report and message (%s)", (unit) => {
  const thresholds = [
    {
      ...judged,
      metric: "http_req_duration{page:home}",
      expression: "count>1k",
      passed: false,
      actual: 39,
      unit,
    },
  ];
  const result = resultOf({ ...passed, verdict: "failed", exitCode: 99, thresholds });
  const facts = gatherPageData(result);
  const [table] = facts.tables.filter(({ id }) => id === "thresholds");
  expect(table?.rows[0]?.cells.at(-1)?.text).toBe("39");
  expect(annotateResult(result, () => null)[0]?.message).toContain("count>1k: was 39");
  expect(failedThresholds(endingOf({ thresholds, metrics: passed.metrics }))[0]?.message).toContain(
    "count>1k (was 39)",
  );
  const texts = [
    renderSummary(result, { colors: false, width: 120, unicode: true }),
    renderMarkdown(result),
    renderJunit(result),
  ];
  for (const text of texts) {
    expect(text).toMatch(/\b39\b/);
    expect(text).not.toMatch(/\b39(?:\.0)? ?(?:ms|B)\b/);
  }
});

test("the rate of a counter is per second", () => {
  const rate = { ...judged, passed: false, unit: null, actual: 51_200, samples: 12 };
  const thresholds = [
    { ...rate, metric: "http_reqs", expression: "rate>100k" },
    { ...rate, metric: "data_received", expression: "rate>1MB", unit: "bytes" },
  ] as const;
  const messages = failedThresholds(endingOf({ thresholds, metrics: passed.metrics }));
  expect(messages.map(({ message }) => message.replaceAll("\u202f", " "))).toEqual([
    "threshold failed: http_reqs: rate>100k (was 51 200/s)",
    "threshold failed: data_received: rate>1MB (was 51.2 kB/s)",
  ]);
});
