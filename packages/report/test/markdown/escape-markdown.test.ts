import { printable } from "@bearhug/text/printable";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { code, codeBlock, inCell, words } from "../../src/markdown/escape-markdown.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { nodesOf, parseMarkdown, textOf } from "./parse-markdown.ts";

const zeroWidthSpace = /\u200b/g;
const hostile = hostileTexts.chain((texts) => fc.constantFrom(...texts));

/** Parses a table and returns the cell with this Markdown, which is between others as in our tables. */
function cellOf(markdown: string) {
  const table = parseMarkdown(
    `| a | b | c |\n| --- | --- | --- |\n| 1 | ${inCell(markdown)} | 3 |\n\nAfter.\n`,
  );
  const cells = nodesOf(table, "tableCell");
  expect(cells.map(textOf)).toEqual(["a", "b", "c", "1", expect.any(String), "3"]);
  return cells[4]!;
}

describe("a name in a code span", () => {
  test("is displayed unchanged in text and in a table, whatever it is", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printable(text) || "(empty)";
        const [paragraph, ...others] = parseMarkdown(`- ${code(text)} after`).children ?? [];
        expect(others).toEqual([]);
        expect(nodesOf(paragraph!, "inlineCode").map(({ value }) => value?.trim())).toEqual([shown.trim()]);
        expect(textOf(paragraph!)).toMatch(/ after$/);
        expect(nodesOf(cellOf(code(text)), "inlineCode").map(({ value }) => value?.trim())).toEqual([
          shown.trim().replaceAll(/(\\+)\|/g, "$1\\u{7c}"),
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test.each(["a|b", "``", "` `", "`a`", "a\\", "\\|", "\\\\|", "|", "<!--", "@octocat", " a ", "  "])(
    "%j",
    (text) => {
      expect(code(text)).toMatchSnapshot();
      expect(nodesOf(cellOf(code(text)), "inlineCode")).toHaveLength(1);
    },
  );
});

describe("a sentence", () => {
  test("is one text without markup, and is displayed unchanged", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const expected = printable(text).trim() || "(empty)";
        const [list] = parseMarkdown(`- ${words(text)}\n`).children ?? [];
        const [read, ...others] = nodesOf(list!, "text");
        expect(others).toEqual([]);
        expect(nodesOf(list!, "listItem")).toHaveLength(1);
        expect(read?.value?.replace(zeroWidthSpace, "")).toBe(expected);
        expect(textOf(cellOf(words(text))).replace(zeroWidthSpace, "")).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("contains nothing that GitHub would turn into a mention, reference or link", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [read] = nodesOf(parseMarkdown(`- ${words(text)}\n`), "text");
        expect(read?.value).not.toMatch(/@[\w-]|#\d|\bGH-\d|:\/\/|\bwww\.|:[\w+-]*[a-z+-][\w+-]*:/i);
      }),
      { numRuns: 60 },
    );
  });
});

test("a code block ends at its own end, whatever it contains", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1 }), (lines) => {
      const [block, after, ...others] =
        parseMarkdown(`${codeBlock(lines.join("\n"))}\nAfter.\n`).children ?? [];
      expect([block?.type, after?.type, others]).toEqual(["code", "paragraph", []]);
    }),
    { numRuns: 30 },
  );
  expect(codeBlock("````\n\u001b[2J\t<b>")).toBe("`````text\n````\n\\e[2J  <b>\n`````\n");
});
