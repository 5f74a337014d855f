import type { TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/format/display-width.ts";
import { renderSummary } from "../../src/reporters/terminal/summary.ts";
import { resultOf } from "./result-of.ts";
import * as results from "./results.ts";

type Texts = () => string;

/** The same result, with every text in it that a target, a capture or a test could have chosen replaced. */
function withTexts(result: TestResult, text: Texts): TestResult {
  const renamed = new Map<string, string>();
  const rename = (old: string) => renamed.get(old) ?? renamed.set(old, text()).get(old)!;
  return resultOf({
    ...result,
    test: { name: text(), file: text(), target: text() },
    plan: {
      ...result.plan,
      scenarios: result.plan.scenarios.map((one) => ({ ...one, name: text(), description: text() })),
    },
    messages: [text(), text()],
    generator: {
      ...result.generator,
      reasons: [text()],
      workers: result.generator.workers.map((worker) => ({ ...worker, lost: text() })),
    },
    accounting: {
      ...result.accounting,
      requests: result.accounting.requests.map((one) => ({ ...one, name: rename(one.name) })),
    },
    thresholds: result.thresholds.map((one) => ({
      ...one,
      metric: text(),
      expression: text(),
      source: { file: text(), line: 1, column: 1 },
    })),
    checks: result.checks.map((one) => ({ ...one, name: text(), scenario: text(), page: text() })),
    metrics: Object.fromEntries(
      Object.entries(result.metrics).map(([name, metric]) => [name.includes("_") ? name : text(), metric]),
    ),
    series: result.series.map((one) => ({
      ...one,
      tags: Object.fromEntries(Object.entries(one.tags).map(([tag, value]) => [tag, rename(value)])),
      histogram: one.histogram === null ? null : text(),
    })),
    errors: result.errors.map((one) => ({
      ...one,
      code: text(),
      cause: text(),
      message: text(),
      name: text(),
      source: { file: text(), line: 1, column: 1 },
      frame: `${text()}\n${text()}`,
    })),
  });
}

function textsFrom(texts: readonly string[]): Texts {
  let next = 0;
  return () => texts[next++ % texts.length] ?? "";
}

const documents = Object.entries(results);
const notes = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { minLength: 1, maxLength: 30 });
const names = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 120 }), {
  minLength: 1,
  maxLength: 30,
});
const hostile = [
  "\u001b[2J\u001b[31m",
  "\r\n::error::\n",
  "\u0007\u009b0m",
  "\u202e\u2066",
  "\ud800",
  "\u0000",
];

describe.each(documents)("%s, with texts that mean harm", (_, result: TestResult) => {
  test("shows nothing that moves the cursor, colours, reorders or hides", () => {
    fc.assert(
      fc.property(notes, fc.boolean(), (texts, unicode) => {
        const all = [...texts, ...hostile];
        const shown = renderSummary(withTexts(result, textsFrom(all)), { colors: false, width: 80, unicode });
        expect(shown).not.toMatch(unicode ? /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u : /[^\x20-\x7e\n]/);
      }),
      { numRuns: 40 },
    );
  });

  test("keeps to the width", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 60, max: 120 }), (texts, width) => {
        const shown = renderSummary(withTexts(result, textsFrom(texts)), {
          colors: false,
          width,
          unicode: true,
        });
        for (const line of shown.split("\n"))
          expect([line, displayWidth(line) <= width]).toEqual([line, true]);
      }),
      { numRuns: 40 },
    );
  });
});
