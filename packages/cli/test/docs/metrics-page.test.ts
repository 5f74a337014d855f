import { readFileSync } from "node:fs";

import { builtInMetrics } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../docs/metrics.md", import.meta.url), "utf8");

/** Matches rows such as `| `vus` | gauge | | virtual users at work |`. */
const metricRow = /^\| `(\w+)` *\| (counter|gauge|rate|trend) *\| (\w*) *\|/gm;

test("docs/metrics.md lists every built-in metric with its type and unit, and no other", () => {
  const documented = [...page.matchAll(metricRow)].map(([, name, type, unit]) => ({ name, type, unit }));
  const actual = Object.entries(builtInMetrics).map(([name, { type, unit }]) => ({
    name,
    type,
    unit: unit ?? "",
  }));
  expect(documented).toEqual(expect.arrayContaining(actual));
  expect(documented).toHaveLength(actual.length);
});
