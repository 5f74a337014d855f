import { createStyle } from "@bearhug/report/terminal/style";
import { expect, test } from "vitest";

import { renderOutcomes } from "../../src/test-set/render-outcomes.ts";
import { passed } from "../../../report/test/results.ts";

test("a test that failed is shown with the threshold that it missed, as far as there is room", () => {
  const messages = ['threshold failed: checks: rate>99% (was 0 %; first: "is a shop" in page front)'];
  const lines = renderOutcomes(
    [{ file: "shop.load.ts", exitCode: 99, result: { ...passed, exitCode: 99, messages } }],
    createStyle({ colors: false, width: 80, unicode: true }),
  );
  expect(lines[2]).toMatch(/ 99 {2}checks: rate>99% \(was 0 %; first.*…$/);
});

test("a test whose report was not written counts as passed, but with ! instead of a tick", () => {
  const messages = ["report not written: ENOSPC: no space left on device, write (json to r.json)"];
  const lines = renderOutcomes(
    [{ file: "shop.load.ts", exitCode: 111, result: { ...passed, exitCode: 111, messages } }],
    createStyle({ colors: false, width: 80, unicode: true }),
  );
  expect(lines[0]).toBe("Tests  1 passed");
  expect(lines[2]).toMatch(/^ {2}! {2}front page .* 111 {2}report not/);
});
