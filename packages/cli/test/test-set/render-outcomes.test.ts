import { createStyle } from "@bearhug/report/terminal/style";
import { expect, test } from "vitest";

import { renderOutcomes } from "../../src/test-set/render-outcomes.ts";
import { passed } from "../../../report/test/results.ts";

test("a test whose report was not written counts as passed, but with ! instead of a tick", () => {
  const messages = ["report not written: ENOSPC: no space left on device, write (json to r.json)"];
  const lines = renderOutcomes(
    [{ file: "shop.load.ts", exitCode: 111, result: { ...passed, exitCode: 111, messages } }],
    createStyle({ colors: false, width: 80, unicode: true }),
  );
  expect(lines[0]).toBe("Tests  1 passed");
  expect(lines[2]).toMatch(/^ {2}! {2}front page .* 111 {2}report not/);
});
