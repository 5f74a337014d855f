import { expect, test } from "vitest";
import { noteMissingSession } from "../../src/request/sessions.ts";
import { writeComment } from "../../src/source/quote-text.ts";
import { visitOf } from "../request/visit-of.ts";

/** Returns a comment's words as one line. */
function wordsOf(comment: string): string {
  return comment
    .trimEnd()
    .replaceAll(/^\/\/ /gm, "")
    .replaceAll("\n", " ");
}

test.each([
  [
    "The site's cookies come by themselves; what else is needed is not.",
    "The site's cookies come by themselves, what else is needed is not.",
  ],
  ["A page — or a group—of them", "A page, or a group, of them"],
  ["More than 30s to think: 100% of them", "More than 30s to think: 100% of them"],
  [
    '"id" may come from the response to GET /list (json items[1].id)',
    "id may come from the response to GET /list json items 1 .id",
  ],
  ["ends */ here\u2028 and // there ${1} `x` @ts-ignore", "ends / here and // there 1 x ts-ignore"],
])("the text of a comment is made safe: %s", (text, words) => {
  expect(wordsOf(writeComment(text))).toBe(words);
});

test("a note of two clauses stays one sentence", async () => {
  const request = { method: "POST", postData: { mimeType: "text/plain", text: "" } };
  const [note = ""] = noteMissingSession([await visitOf("https://shop.test/login", { request })]);
  expect(wordsOf(writeComment(note))).toContain(
    "keeps the cookies that the site sets, add other credentials by hand",
  );
});

test("200 KB of one character are written in less than 5 s of CPU time", () => {
  const usage = process.cpuUsage();
  for (const piece of [" ", ";", "—", "'", "%", "a "]) writeComment(piece.repeat(200_000 / piece.length));
  expect(process.cpuUsage(usage).user).toBeLessThan(5_000_000);
});
