import { expect, test } from "vitest";

import { lonePathProblems, readVariants } from "../../src/test-file/read-variants.ts";

function read(...texts: string[]) {
  const problems: string[] = [];
  const variants = readVariants(texts, problems);
  return { variants, problems };
}

test("a change is a header, a path or nothing, and changes with the same name form one variant", () => {
  const { variants, problems } = read(
    "plain=",
    "min=/index.min.html",
    "br=Accept-Encoding: br",
    "min=Accept-Encoding:br, gzip ",
    "min=/a.css=>/a.min.css?v=2",
  );
  expect(problems).toEqual([]);
  expect(variants).toEqual([
    { name: "plain", headers: [], paths: [] },
    {
      name: "min",
      headers: ["Accept-Encoding", "br, gzip"],
      paths: [
        { from: null, to: "/index.min.html" },
        { from: "/a.css", to: "/a.min.css?v=2" },
      ],
    },
    { name: "br", headers: ["Accept-Encoding", "br"], paths: [] },
  ]);
});

test.each([
  ["gzip", /^--variant gzip: must be written NAME=CHANGE/],
  ["=Accept-Encoding: br", /must be written NAME=CHANGE/],
  ["a=br", /^--variant a: the change must be a header/],
  ["a=Upgrade: h2c", /^--variant a: Upgrade: /],
  ["a=X-Note: snow ☃", /^--variant a: the value of X-Note contains a character/],
  ["a=X-Note: two\nlines", /^--variant a: the value of X-Note contains a character/],
  [`${"n".repeat(50)}=`, /is longer than 40 characters/],
])("%j is refused in one sentence", (text, expected) => {
  const { problems } = read("plain=", "other=", text);
  expect(problems).toEqual([expect.stringMatching(expected)]);
});

test("a single variant, more than ten, and two replacements of one path are refused", () => {
  expect(read("br=Accept-Encoding: br").problems).toEqual([
    "--variant br: there is nothing to compare it with. Add another variant, such as plain= for unchanged requests.",
  ]);
  const many = Array.from({ length: 11 }, (_, at) => `v${at}=`);
  expect(read(...many).problems).toEqual(["--variant: 11 variants are too many. Give at most 10."]);
  expect(read("a=/x=>/y", "a=/x=>/z", "b=").problems).toEqual([
    "--variant a: /x is replaced more than once. Give one replacement.",
  ]);
});

test("a path alone is for a URL; a test must say which path it replaces", () => {
  const { variants } = read("plain=", "min=/index.min.html", "css=/a.css=>/b.css");
  expect(lonePathProblems(variants)).toEqual([
    "--variant min=/index.min.html: a test may request several paths. Say which one to replace, such as '/=>/index.min.html'.",
  ]);
});
