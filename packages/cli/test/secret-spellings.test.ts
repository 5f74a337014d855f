import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { planted, spellings } from "./end-to-end/planted-secrets.ts";

const { lines: key, ...secrets } = planted;
const { hide } = createMask(Object.values(secrets));

/** Base64 shares its first and last characters with what stands before and behind; JSON in JSON has quotes of its own. */
const masked = /^before: (?:\\"|[\w+/-]{0,3})\*\*\*(?:\\"|[\w+/=-]{0,4}) :after$/;

describe.each(Object.entries(spellings))("declared secrets %s", (_how, spell) => {
  test("are masked, and nothing around them", () => {
    for (const secret of Object.values(secrets))
      expect(hide(`before: ${spell(secret)} :after`)).toMatch(masked);
  });

  test("are masked in a hundred thousand characters", () => {
    const filler = "a page of nothing in particular & more \n".repeat(1250);
    const shown = hide(`${filler}before: ${spell(planted.declared)} :after${filler}`);
    expect(shown.slice(filler.length, -filler.length)).toMatch(masked);
  });
});

test("each line of a key is masked where it stands alone", () => {
  const { hide: hideKey } = createMask([key]);
  const [, ...lines] = key.split("\n");
  expect(hideKey(lines.join("|"))).toBe(["***", "***", lines[2]].join("|"));
});
