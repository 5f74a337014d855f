import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { planted, spellings } from "./end-to-end/planted-secrets.ts";

const { lines: key, ...secrets } = planted;
const { hide } = createMask(Object.values(secrets));

/**
 * In base64, the first and last characters also encode the surrounding text; JSON in JSON has its own quotes.
 */
const masked = /^before: (?:\\"|[\w+/-]{0,3})\*\*\*(?:\\"|[\w+/=-]{0,4}) :after$/;

describe.each(Object.entries(spellings))("declared secrets %s", (_how, spell) => {
  test("are masked without the text around them", () => {
    for (const secret of Object.values(secrets))
      expect(hide(`before: ${spell(secret)} :after`)).toMatch(masked);
  });

  test("are masked in a text of a hundred thousand characters", () => {
    const filler = "a page of nothing in particular & more \n".repeat(1250);
    const shown = hide(`${filler}before: ${spell(planted.declared)} :after${filler}`);
    expect(shown.slice(filler.length, -filler.length)).toMatch(masked);
  });
});

test("each line of a key is masked even on its own", () => {
  const { hide: hideKey } = createMask([key]);
  const [, ...lines] = key.split("\n");
  expect(hideKey(lines.join("|"))).toBe(["***", "***", lines[2]].join("|"));
});
