import type { TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { renderMarkdown, renderMarkdownPieces } from "../../src/markdown/render-markdown.ts";
import { hostileTexts, textsFrom, withTexts, type Texts } from "../hostile-texts.ts";
import { requestsOf, resultOf } from "../result-of.ts";
import * as results from "../results.ts";
import { nodesOf, parseMarkdown, textOf, type MarkdownNode } from "./parse-markdown.ts";

const documents = Object.entries(results);

/** Returns the types of all nodes. Texts in cells are ignored, because a missing figure leaves its cell empty. */
function skeleton({ type, children = [] }: MarkdownNode): unknown {
  return [type, children.filter((child) => type !== "tableCell" || child.type !== "text").map(skeleton)];
}

/** Returns the result with hostile texts. Messages get no line breaks, because later lines would be rendered as code. */
function hostile(result: TestResult, texts: Texts): TestResult {
  const replaced = withTexts(result, texts);
  return { ...replaced, messages: replaced.messages.map((one) => one.replaceAll(/[\r\n]+/g, " ")) };
}

function tableUnder(title: string, root: MarkdownNode): string[][] {
  const children = root.children ?? [];
  const at = children.findIndex((one) => one.type === "heading" && textOf(one) === title);
  const table = children[at + 1];
  return nodesOf(table!, "tableRow").map((row) => (row.children ?? []).map(textOf));
}

describe.each(documents)("%s", (name, result) => {
  test("matches its golden file exactly", async () => {
    await expect(renderMarkdown(result)).toMatchFileSnapshot(`../golden/markdown/${name}.md`);
  });

  test("lists every threshold, check, request name and error", () => {
    const root = parseMarkdown(renderMarkdown(result));
    const rows = (title: string, expected: number): void => {
      if (expected > 0) expect(tableUnder(title, root), title).toHaveLength(expected + 1);
    };
    rows("Thresholds", result.thresholds.length);
    rows("Checks", result.checks.length);
    rows("Requests", result.accounting.requests.length);
    rows("Errors", result.errors.length);
    for (const note of result.notes) expect(textOf(root)).toContain(note.slice(0, 20));
  });

  test("can be cut after any piece without breaking the text that follows", () => {
    const pieces = renderMarkdownPieces(result);
    const step = Math.ceil(pieces.length / 30);
    for (let end = 1; end < pieces.length; end += step) {
      const root = parseMarkdown(`${pieces.slice(0, end).join("")}\nThe end.\n`);
      expect(textOf(root.children!.at(-1)!)).toBe("The end.");
    }
  });

  test("keeps its structure, whatever texts it contains", () => {
    const expected = skeleton(parseMarkdown(renderMarkdown(hostile(result, () => "plain"))));
    fc.assert(
      fc.property(hostileTexts, (texts) => {
        expect(skeleton(parseMarkdown(renderMarkdown(hostile(result, textsFrom(texts)))))).toEqual(expected);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

test("the most frequent requests come first", () => {
  const accounting = {
    ...resultOf({}).accounting,
    requests: [requestsOf("GET /rare", { succeeded: 1 }), requestsOf("GET /often", { succeeded: 20 })],
  };
  const rows = tableUnder("Requests", parseMarkdown(renderMarkdown(resultOf({ accounting }))));
  expect(rows.slice(1).map(([name]) => name)).toEqual(["GET /often", "GET /rare"]);
});
