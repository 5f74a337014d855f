import type { TestResult } from "@bearhug/sdk";
import { displayWidth } from "@bearhug/text/display-width";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import { hostileTexts, textsFrom, withTexts } from "./hostile-texts.ts";
import * as results from "./results.ts";

const documents = Object.entries(results);
const names = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 120 }), {
  minLength: 1,
  maxLength: 30,
});

describe.each(documents)("the summary of %s with hostile texts", (_, result: TestResult) => {
  test("contains nothing that moves the cursor, or colours, reorders or hides text", () => {
    fc.assert(
      fc.property(hostileTexts, fc.boolean(), (texts, unicode) => {
        const shown = renderSummary(withTexts(result, textsFrom(texts)), {
          colors: false,
          width: 80,
          unicode,
        });
        expect(shown).not.toMatch(unicode ? /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u : /[^\x20-\x7e\n]/);
      }),
      { numRuns: 40 },
    );
  });

  test("fits the width", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 60, max: 120 }), (texts, width) => {
        const shown = renderSummary(withTexts(result, textsFrom(texts)), {
          colors: false,
          width,
          unicode: true,
        });
        // A command is not wrapped, so that it can be copied.
        for (const line of shown.split("\n").filter((one) => !/^ +curl -/.test(one)))
          expect([line, displayWidth(line) <= width]).toEqual([line, true]);
      }),
      { numRuns: 40 },
    );
  });
});
