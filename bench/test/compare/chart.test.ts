import { expect, test } from "vitest";

import { renderChart } from "../../compare/chart.ts";
import { someResults } from "./some-results.ts";

test("bars are as long as the medians, with the tool on their left and the rate on their right", () => {
  const chart = renderChart(someResults);
  const bars = chart.matchAll(
    /<text .*?>(.*?)<\/text><rect class="(\w+)" .*?width="([\d.]+)".*?><text .*?>(.*?)<\/text>/g,
  );
  expect([...bars].map(([, tool, kind, width, rate]) => [tool, kind, width, rate])).toEqual([
    ["wrk", "other", "230.0", "100k/s"],
    ["bearhug &lt;url>", "ours", "133.4", "58k/s"],
  ]);
});

test("cases without figures have no heading", () => {
  expect(renderChart({ ...someResults, cases: [{ name: "tls", title: "TLS", results: [] }] })).not.toContain(
    "TLS",
  );
});
