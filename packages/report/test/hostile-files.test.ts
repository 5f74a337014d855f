import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { SampleLines } from "../src/ndjson/sample-lines.ts";
import { renderCsv } from "../src/csv.ts";
import { renderIntervalLog } from "../src/hdr/interval-log.ts";
import { renderPercentileText } from "../src/hdr/percentile-text.ts";
import { createReporters } from "../src/index.ts";
import { renderJunit } from "../src/junit/render-junit.ts";
import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { temporaryFolder } from "../../cli/test/end-to-end/run-bearhug.ts";
import { hostileTexts, textsFrom, withTexts } from "./hostile-texts.ts";
import { exemplary, monitored, partial, varied } from "./results.ts";

const documents = Object.entries({ exemplary, monitored, partial, varied });

/** Matches characters that move the cursor, ring, set colours or change the text direction where the file is displayed. */
const controlCharacters = /[^\P{Cc}\t\n\r]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

async function renderJson(result: TestResult): Promise<string> {
  const path = join(temporaryFolder(), "result.json");
  for (const reporter of createReporters([`json=${path}`])) await reporter.onEnd(result);
  return readFileSync(path, "utf8");
}

const renderers: readonly (readonly [string, (result: TestResult) => string | Promise<string>])[] = [
  ["csv", renderCsv],
  ["json", renderJson],
  ["junit", renderJunit],
  ["markdown", renderMarkdown],
  ["hgrm", renderPercentileText],
  ["hlog", renderIntervalLog],
];

describe.each(renderers)("a report as %s, with hostile texts", (_, render) => {
  test.each(documents)("contains nothing that controls a terminal: %s", async (__, result) => {
    await fc.assert(
      fc.asyncProperty(hostileTexts, async (texts) => {
        expect(await render(withTexts(result, textsFrom(texts)))).not.toMatch(controlCharacters);
      }),
      { numRuns: 8 },
    );
  });
});

test("a line of the stream with hostile texts contains nothing that controls a terminal", () => {
  const sample = {
    kind: 0,
    calledAt: 1,
    status: 200,
    timings: null,
    bytesSent: 0,
    bytesReceived: 0,
    traceId: null,
  };
  fc.assert(
    fc.property(hostileTexts, (texts) => {
      const lines = new SampleLines(0);
      lines.define({ id: 0, tags: { name: texts.join(), tag: texts.join() }, error: texts.join() });
      expect(lines.render(sample)).not.toMatch(controlCharacters);
    }),
    { numRuns: 20 },
  );
});
