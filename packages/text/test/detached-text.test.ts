import { expect, test } from "vitest";

import { detachedText, internedText } from "../src/detached-text.ts";

test.each([
  "",
  "a",
  "0",
  "17",
  "__proto__",
  "constructor",
  "https://shop.example/a?b=1#c",
  "ä\u{1F600}\ud800",
])("a copy of %j is the same text", (text) => {
  expect(detachedText(text)).toBe(text);
  expect(internedText(text)).toBe(text);
});
