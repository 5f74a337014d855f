import { describe, expect, test } from "vitest";

import { markerOf, renderComment, type CommentContent } from "../../../../action/comment-body.ts";
import { nodesOf, parseMarkdown, textOf } from "../../../report/test/markdown/parse-markdown.ts";

const parts: CommentContent = {
  name: "load-test",
  report: "## ✅ bearhug: passed\n\n- all good\n\n### Requests\n",
  comparison: null,
  exitCode: "0",
  comparisonExitCode: "",
  runUrl: "https://github.example/octo/shop/actions/runs/1",
  commit: "a".repeat(40),
};

function headingsOf(body: string): string[] {
  return nodesOf(parseMarkdown(body), "heading").map(textOf);
}

describe("a comment", () => {
  test("shows the verdict and the report, and links to the run", () => {
    const body = renderComment(parts);
    expect(body.startsWith(markerOf("load-test"))).toBe(true);
    expect(headingsOf(body)).toEqual(["✅ bearhug: passed", "Requests"]);
    expect(body).toContain("<details open><summary>Report</summary>\n\n- all good");
    expect(body).toContain(`[Job summary and artifacts](${parts.runUrl})`);
  });

  test("shows a comparison, if there is one, before the report", () => {
    const body = renderComment({ ...parts, comparison: "## compare: ok\n" });
    expect(headingsOf(body)).toEqual(["✅ bearhug: passed", "compare: ok", "Requests"]);
    expect(body).toContain("<details><summary>Report</summary>");
  });

  test.each([
    ["99", "❌ bearhug: failed by the comparison"],
    ["104", "❌ bearhug: errored in the comparison, exit code 104"],
  ])("never begins with a tick if the comparison failed the job (%s)", (comparisonExitCode, expected) => {
    const body = renderComment({ ...parts, comparison: "## compare: REGRESSED\n", comparisonExitCode });
    expect(headingsOf(body)).toEqual([expected, "compare: REGRESSED", "Requests"]);
  });

  test.each([
    ["", "❌ bearhug: not run"],
    ["104", "❌ bearhug: errored, exit code 104"],
  ])("without a report states the reason (exit code %j)", (exitCode, expected) => {
    expect(headingsOf(renderComment({ ...parts, report: null, exitCode }))).toEqual([expected]);
  });

  test("leaves out a report that is too long for GitHub", () => {
    const body = renderComment({
      ...parts,
      comparison: "## compare: ok\n",
      report: `## ✅ bearhug: passed\n${"x".repeat(66_000)}`,
    });
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(headingsOf(body)).toEqual(["✅ bearhug: passed", "compare: ok"]);
    expect(body).toContain("A part is left out");
  });
});
