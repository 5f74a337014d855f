import { expect, test } from "vitest";

import { gatherPageData } from "../src/html/gather-page-data.ts";
import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { passed } from "./passed-result.ts";
import { processOf, resultOf } from "./result-of.ts";

const short = resultOf({
  ...passed,
  durationMs: 1900,
  generator: {
    ...passed.generator,
    process: processOf({ cpuCores: 0, peakReceivedBytesPerSecond: 0 }),
  },
});

const summaryOf = (result: typeof short): string =>
  renderSummary(result, { colors: false, unicode: true, width: 200 });

function generatorCard(result: typeof short): string {
  const card = gatherPageData(result).figures.find(({ label }) => label === "Load generator");
  return `${card?.text}: ${card?.detail}`;
}

test("no report calls the generator healthy if the run was too short to judge it", () => {
  expect(summaryOf(short)).toMatch(/^ {2}not judged: /m);
  expect(renderMarkdown(short)).toContain("not judged, the run was too short");
  expect(generatorCard(short)).toBe("not judged: the run was too short for that");
  expect(generatorCard(passed)).toBe("healthy: it kept up with the load");
});

test("figures per second are omitted if no full second was measured", () => {
  expect(summaryOf(short)).not.toMatch(/CPU 0|receiving up to 0/);
  expect(summaryOf(passed)).toMatch(/CPU \d+\.\d\d of \d+ cores?.*receiving up to \d/);
});
