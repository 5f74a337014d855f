import { expect, test } from "vitest";

import { gatherPageData } from "../src/html/gather-page-data.ts";
import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { rateMetric, resultOf } from "./result-of.ts";
import { rateLimited } from "./rate-limited-result.ts";

const plain = { colors: false, width: 100, unicode: true };
/** Exactly 1 % of requests failed: too few to list times separately. */
const hardlyFailed = resultOf({
  ...rateLimited,
  metrics: { ...rateLimited.metrics, http_req_failed: rateMetric(3, 297) },
});

test("the terminal shows the times of expected responses below those of all", () => {
  const lines = renderSummary(rateLimited, plain).split("\n");
  const at = lines.findIndex((line) => line.includes("http_req_duration"));
  expect(lines[at]).toMatch(/http_req_duration +5\.00 +191 +10\.1 /);
  expect(lines[at + 1]).toMatch(/ {2}\{expected_response:true\} +300 +554 +450 /);
  expect(renderSummary(hardlyFailed, plain)).not.toContain("expected_response");
});

test("Markdown shows the times of all and of expected responses", () => {
  expect(renderMarkdown(rateLimited)).toContain(
    "| times | all requests: median 10.1 ms, p95 815 ms, p99 1.36 s; expected responses alone: median 450 ms, p95 1.22 s, p99 1.46 s |",
  );
  expect(renderMarkdown(hardlyFailed)).not.toContain("| times |");
});

test("the page's main figures are labelled as times of all requests, with those of expected responses beside them", () => {
  const { figures, tables } = gatherPageData(rateLimited);
  const median = figures.find(({ label }) => label.startsWith("Median time"));
  expect(median?.label).toBe("Median time, all requests");
  expect(median?.text).toBe("10.1 ms");
  expect(median?.detail).toBe("expected responses alone: 450 ms");
  const distributions = tables.find(({ id }) => id === "metrics")?.rows.map(({ cells }) => cells[0]?.text);
  expect(distributions).toContain("http_req_duration{expected_response:true}");
  const few = gatherPageData(hardlyFailed).figures.map(({ label }) => label);
  expect(few).toContain("Median time");
});
