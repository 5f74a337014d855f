import { expect, test } from "vitest";

import { LineSplitter } from "../src/run-progress.ts";

test("a growing file is split into lines, wherever a read ends", () => {
  const splitter = new LineSplitter();
  expect(["a", "b\nc", "\n\nd", "", "\n"].flatMap((text) => splitter.take(text))).toEqual([
    "ab",
    "c",
    "",
    "d",
  ]);
});
