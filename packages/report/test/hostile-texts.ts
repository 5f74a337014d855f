import type { TestResult } from "@bearhug/sdk";
import type {
  ComparedSide,
  ComparisonResult,
  ExchangeExemplar,
  ExemplarMessage,
  ExemplarsResult,
} from "@bearhug/sdk/result";
import fc from "fast-check";

import { anyCharacter } from "../../../tools/vitest/any-character.ts";
import { resultOf } from "./result-of.ts";

/** Returns the next text. */
export type Texts = () => string;

/** Returns the result with every text replaced that a target, a capture or a test could have chosen. */
export function withTexts(result: TestResult, text: Texts): TestResult {
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
    notes: [text()],
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
      code: rename(one.code),
      cause: text(),
      message: text(),
      name: rename(one.name),
      source: { file: text(), line: 1, column: 1 },
      frame: `${text()}\n${text()}`,
    })),
    ...(result.comparison && { comparison: compareTexts(result.comparison, text) }),
    ...(result.exemplars && { exemplars: withTextsIn(result.exemplars, text, rename) }),
  });
}

function compareTexts(comparison: ComparisonResult, text: Texts): ComparisonResult {
  const sideOf = ({ runs }: ComparedSide): ComparedSide => ({
    target: text(),
    runs: runs.map((run) => ({ ...run, file: text() })),
  });
  return {
    ...comparison,
    test: { name: text() },
    messages: comparison.messages.map(text),
    notes: comparison.notes.map(text),
    base: sideOf(comparison.base),
    new: sideOf(comparison.new),
    figures: comparison.figures.map((one) => ({ ...one, metric: text() })),
    exploratory: comparison.exploratory.map((one) => ({ ...one, metric: text() })),
  };
}

function withTextsIn(
  { pages, errors }: ExemplarsResult,
  text: Texts,
  rename: (old: string) => string,
): ExemplarsResult {
  const exchangeWith = <Exchange extends ExchangeExemplar>(exchange: Exchange): Exchange => ({
    ...exchange,
    name: rename(exchange.name),
    method: text(),
    url: text(),
    protocol: text(),
  });
  const messageWith = ({ headers, body }: ExemplarMessage): ExemplarMessage => ({
    headers: headers.map(() => [text(), text()]),
    body: body && { ...body, text: text() },
  });
  return {
    pages: pages.map((visit) => ({
      ...visit,
      page: text(),
      scenario: text(),
      exchanges: visit.exchanges.map(exchangeWith),
    })),
    errors: errors.map((exchange) => ({
      ...exchangeWith(exchange),
      code: rename(exchange.code),
      message: text(),
      scenario: text(),
      page: text(),
      request: messageWith(exchange.request),
      response: exchange.response && messageWith(exchange.response),
    })),
  };
}

export function textsFrom(texts: readonly string[]): Texts {
  let next = 0;
  return () => texts[next++ % texts.length] ?? "";
}

/** Texts with a special meaning for a terminal, a log, XML, HTML, Markdown or a workflow's runner. */
const known = [
  "\u001b[2J\u001b[31m",
  "\r\n::error::\n",
  "::set-output name=verdict::passed",
  "##[error]no",
  "%0A::error::%0D%25,:",
  "\u0007\u009b0m",
  "\u202e\u2066",
  "\ud800",
  "\u0000\ufffe",
  "<!-- -->",
  "]]></failure><script>alert(1)</script>",
  "&amp;&#10;&quot;",
  "`` ` ```",
  "a|b\\|c\\",
  "| --- |\n\n# heading",
  "[x](javascript:alert(1)) ![](http://127.0.0.1/x.png) <http://127.0.0.1>",
  "**bold** ~~no~~ _it_ @octocat #1 me@example.com www.example.com https://example.com",
  " ` ",
  "",
  " ",
  "verdict<<EOF\npassed\nEOF",
];

/** Lists of hostile texts: the known ones and arbitrary others. */
export const hostileTexts: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.shuffledSubarray(known, { minLength: known.length }),
    fc.array(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.string({ maxLength: 40 })), {
      maxLength: 30,
    }),
  )
  .map(([some, others]) => [...some, ...others]);
