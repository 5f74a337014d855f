import { describe, expect, test } from "vitest";

import { mostSummaryBytes, summarizeProblems, summarizeResult } from "../../src/github/github-actions.ts";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { nodesOf, parseMarkdown, textOf } from "../markdown/parse-markdown.ts";
import { requestsOf, resultOf } from "../result-of.ts";
import { failed } from "../results.ts";

const many = resultOf({
  ...failed,
  accounting: {
    ...failed.accounting,
    requests: Array.from({ length: 40_000 }, (_, index) => ({
      ...requestsOf("", { succeeded: 40_000 - index }),
      name: `GET /${"ü".repeat(20)}/${index}`,
    })),
  },
});

describe("the job summary", () => {
  test("is the Markdown report if it fits", () => {
    expect(summarizeResult(failed, mostSummaryBytes)).toBe(renderMarkdown(failed));
  });

  test("is cut between two rows if it is too long, with a note about it", () => {
    const summary = summarizeResult(many, mostSummaryBytes);
    const bytes = Buffer.byteLength(summary);
    expect(bytes).toBeLessThanOrEqual(mostSummaryBytes);
    expect(bytes).toBeGreaterThan(mostSummaryBytes - 500);
    expect(summary).toMatch(/^## ❌ bearhug: failed\n[^]*\n### Thresholds\n/);
    const last = parseMarkdown(summary.slice(summary.lastIndexOf("\n| `GET"))).children?.at(-1);
    expect(textOf(last!)).toMatch(/^The rest of this report is left out/);
  });

  test("keeps the verdict if there is little space, and is empty if there is none", () => {
    expect(summarizeResult(many, 200)).toMatch(/^## ❌ bearhug: failed\n[^]*The rest of this report/);
    expect(summarizeResult(many, 10)).toBe("");
    expect(summarizeResult(many, -1)).toBe("");
  });

  test("has a list item for each problem", () => {
    const problems = ["--vus x: must be a number.", "## no\n<b>`heading`", "@octocat"];
    const root = parseMarkdown(summarizeProblems(problems, 104, mostSummaryBytes));
    expect(nodesOf(root, "heading").map(textOf)).toEqual(["❌ bearhug: not run, exit code 104"]);
    expect(nodesOf(root, "listItem").map(textOf)).toEqual([
      problems[0],
      "## no\\n<b>`heading`",
      "@\u200boctocat",
    ]);
  });
});
