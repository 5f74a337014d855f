import type { TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { renderMarkdown, renderMarkdownPieces } from "../../src/markdown/render-markdown.ts";
import { hostileTexts, textsFrom, withTexts, type Texts } from "../hostile-texts.ts";
import { requestsOf, resultOf } from "../result-of.ts";
import * as results from "../results.ts";
import { nodesOf, parseMarkdown, textOf, type MarkdownNode } from "./parse-markdown.ts";

const documents = Object.entries(results);

/** What is what, without the texts. A figure that a request lacks leaves its cell empty. */
function skeleton({ type, children = [] }: MarkdownNode): unknown {
  return [type, children.filter((child) => type !== "tableCell" || child.type !== "text").map(skeleton)];
}

/** A reason's further lines are those of source, which is shown as code. */
function hostile(result: TestResult, texts: Texts): TestResult {
  const with_ = withTexts(result, texts);
  return { ...with_, messages: with_.messages.map((one) => one.replaceAll(/[\r\n]+/g, " ")) };
}

function tableUnder(title: string, root: MarkdownNode): string[][] {
  const children = root.children ?? [];
  const at = children.findIndex((one) => one.type === "heading" && textOf(one) === title);
  const table = children[at + 1];
  return nodesOf(table!, "tableRow").map((row) => (row.children ?? []).map(textOf));
}

describe.each(documents)("%s", (name, result) => {
  test("is, to the character, what was found good to read", async () => {
    await expect(renderMarkdown(result)).toMatchFileSnapshot(`../golden/markdown/${name}.md`);
  });

  test("tells every threshold, check, request name and error", () => {
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

  test("may end after any piece and still reads as the same", () => {
    const pieces = renderMarkdownPieces(result);
    const step = Math.ceil(pieces.length / 30);
    for (let end = 1; end < pieces.length; end += step) {
      const root = parseMarkdown(`${pieces.slice(0, end).join("")}\nThe end.\n`);
      expect(textOf(root.children!.at(-1)!)).toBe("The end.");
    }
  });

  test("keeps its structure, whatever texts are in it", () => {
    const expected = skeleton(parseMarkdown(renderMarkdown(hostile(result, () => "plain"))));
    fc.assert(
      fc.property(hostileTexts, (texts) => {
        expect(skeleton(parseMarkdown(renderMarkdown(hostile(result, textsFrom(texts)))))).toEqual(expected);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

test("requests stand with the most frequent first", () => {
  const accounting = {
    ...resultOf({}).accounting,
    requests: [requestsOf("GET /rare", { succeeded: 1 }), requestsOf("GET /often", { succeeded: 20 })],
  };
  const rows = tableUnder("Requests", parseMarkdown(renderMarkdown(resultOf({ accounting }))));
  expect(rows.slice(1).map(([name]) => name)).toEqual(["GET /often", "GET /rare"]);
});
