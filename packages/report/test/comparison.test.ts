import type { ComparedFigure, ComparisonResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { renderComparisonMarkdown } from "../src/comparison/render-markdown.ts";
import { renderComparison } from "../src/comparison/render-terminal.ts";
import { annotateComparison } from "../src/github/annotations.ts";
import { summarizeComparison } from "../src/github/github-actions.ts";
import { renderAnnotation } from "../src/github/workflow-command.ts";
import { readCommand } from "./github/runner.ts";

const figure: ComparedFigure = {
  metric: "http_req_duration",
  aggregation: "p(95)",
  unit: "ms",
  change: "relative",
  worse: "higher",
  base: 212.4,
  new: 244.7,
  difference: 0.152,
  interval: [0.091, 0.216],
  answer: "regressed",
};

function comparisonOf(parts: Partial<ComparisonResult>): ComparisonResult {
  const run = {
    file: "base.json",
    startedAt: "2026-11-20T20:00:00.000Z",
    durationMs: 30_000,
    requests: 15_000,
  };
  return {
    schema: "bearhug/comparison@1",
    tool: { name: "bearhug", version: "0.1.0" },
    test: { name: "front page" },
    verdict: "regressed",
    exitCode: 99,
    messages: ["It got slower."],
    notes: ["A note."],
    sides: "runs",
    tolerance: 0.05,
    rateTolerance: 0.005,
    runNoise: 0.05,
    base: { target: "http://127.0.0.1:8080", runs: [run] },
    new: { target: "http://127.0.0.1:8080", runs: [{ ...run, file: "new.json" }] },
    figures: [figure],
    exploratory: [],
    ...parts,
  };
}

const plain = { colors: false, width: 80, unicode: true };

describe("in the terminal", () => {
  test("a comparison has its verdict first, then its figures in 80 columns", () => {
    const failed: ComparedFigure = {
      metric: "http_req_failed",
      aggregation: "rate",
      unit: null,
      change: "points",
      worse: "higher",
      base: 0,
      new: 0.0012,
      difference: 0.0012,
      interval: [-0.0001, 0.0025],
      answer: "ok",
    };
    const long = { ...figure, metric: "http_req_duration{name:GET /shop/area/item/:id}", answer: null };
    const shown = renderComparison(comparisonOf({ figures: [figure, failed], exploratory: [long] }), plain);
    expect(shown).toMatchInlineSnapshot(`
      "✗ REGRESSED, exit code 99
        · It got slower.

      Comparison  new.json against base.json
        tolerated: 5 % for the worse, 0.5 points of a rate
                                   base     new     change  interval
        http_req_duration p(95)  212 ms  245 ms    +15.2 %  +9.1 to +21.6   REGRESSED
        http_req_failed rate        0 %  0.12 %  +0.12 pts  −0.01 to +0.25  OK

      Exploratory  decides nothing: of many figures, some differ by chance
                                                  base     new   change  interval
        http_req_duration{n…ea/item/:id} p(95)  212 ms  245 ms  +15.2 %  +9.1 to +21.6

        · A note.
      "
    `);
  });

  test("a verdict is unchanged but loses its tick if a report was not written", () => {
    const first = (verdict: ComparisonResult["verdict"], exitCode: number): string | undefined =>
      renderComparison(comparisonOf({ verdict, exitCode }), plain).split("\n")[0];
    expect(first("ok", 0)).toBe("✓ OK");
    expect(first("ok", 111)).toBe("! OK, exit code 111");
    expect(first("undecided", 111)).toBe("? UNDECIDED, exit code 111");
  });

  test("only ASCII is used if the terminal has no Unicode", () => {
    const faster = { ...figure, difference: -0.2, interval: [-0.3, -0.1] as const, answer: "ok" as const };
    const shown = renderComparison(comparisonOf({ figures: [faster], verdict: "ok", exitCode: 0 }), {
      ...plain,
      unicode: false,
    });
    expect(shown).toContain("-20.0 %  -30.0 to -10.0  OK");
    expect(/[^\n\x20-\x7e]/.exec(shown)).toBeNull();
  });
});

describe("as Markdown", () => {
  test("a comparison is a table, with exploratory figures collapsed", () => {
    const markdown = renderComparisonMarkdown(comparisonOf({ exploratory: [{ ...figure, answer: null }] }));
    expect(markdown).toMatchInlineSnapshot(`
      "## ❌ bearhug compare: REGRESSED

      front page: new.json against base.json

      - It got slower.

      tolerated: 5 % for the worse

      | figure | base | new | change | interval |  |
      | --- | ---: | ---: | ---: | --- | --- |
      | \`http_req_duration p(95)\` | 212 ms | 245 ms | +15.2 % | +9.1 to +21.6 | ❌ REGRESSED |

      <details><summary>Exploratory figures: they decide nothing</summary>

      | figure | base | new | change | interval |
      | --- | ---: | ---: | ---: | --- |
      | \`http_req_duration p(95)\` | 212 ms | 245 ms | +15.2 % | +9.1 to +21.6 |

      </details>

      ### Notes

      - A note.
      "
    `);
  });
});

test("hostile names are rendered as text", () => {
  const hostile = "GET /`|</td><script>\u001b[31m\n::error::%0A$(id) @octocat";
  const hostileFigure = { ...figure, metric: `http_req_duration{name:${hostile}}` };
  const comparison = comparisonOf({
    test: { name: hostile },
    messages: [hostile],
    notes: [hostile],
    figures: [hostileFigure],
    exploratory: [{ ...hostileFigure, answer: null }],
  });
  const terminal = renderComparison(comparison, plain);
  const markdown = renderComparisonMarkdown(comparison);
  for (const text of [terminal, markdown]) expect(text).not.toContain("\u001b");
  expect(terminal).not.toMatch(/(^|\s)::error/m);
  const outsideCode = markdown.replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, "");
  expect(outsideCode).not.toMatch(/(?<!\\)<script|@octocat|(^|\s)::error/);
  const rows = markdown.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([7, 6]);
});

describe("in GitHub Actions", () => {
  test("a comparison that fails the job is annotated with its reasons, and names in them are never commands", () => {
    const messages = ["a%0A::error::b p(95) rose.", "c\n::warning::d rose."];
    const [first, second] = annotateComparison(comparisonOf({ messages })).map(renderAnnotation);
    expect(first).toBe("::error title=bearhug compare%3A regressed::a%250A::error::b p(95) rose.");
    expect(readCommand(second ?? "")).toEqual({
      command: "error",
      properties: { title: "bearhug compare: regressed" },
      data: String.raw`c\n::warning::d rose.`,
    });
  });

  test("a comparison that does not fail the job has no annotation", () => {
    expect(annotateComparison(comparisonOf({ verdict: "undecided", exitCode: 0 }))).toEqual([]);
  });

  test("the job summary is the Markdown report, cut to the available size", () => {
    const comparison = comparisonOf({});
    expect(summarizeComparison(comparison, 10_000)).toBe(renderComparisonMarkdown(comparison));
    expect(summarizeComparison(comparison, 250)).toMatch(
      /^## ❌ bearhug compare: REGRESSED\n[^]*is left out/,
    );
  });
});
