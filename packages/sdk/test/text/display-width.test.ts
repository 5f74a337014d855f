import { expect, test } from "vitest";

import { displayWidth } from "../../src/text/display-width.ts";

test("each sign of reports has the width alone that it has beside a wide character", () => {
  const signs = Array.from({ length: 0x2600 }, (_, code) => String.fromCharCode(code)).filter((sign) =>
    /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2190-\u2193\u2500-\u259f]$/.test(sign),
  );
  const besideWide = (sign: string): number => displayWidth(`${sign}한`) - displayWidth("한");
  for (const sign of [...signs, "✓", "✗"])
    expect([sign, displayWidth(sign)]).toEqual([sign, besideWide(sign)]);
});

test("accents that stand alone take no column, emoji take two", () => {
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("🐻")).toBe(2);
  expect(displayWidth("©\ufe0f")).toBe(2);
  expect(displayWidth("©")).toBe(1);
});
