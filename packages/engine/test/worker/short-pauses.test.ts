import { expect, test } from "vitest";

import { ShortPauses } from "../../src/worker/short-pauses.ts";
import { createMask } from "../../../text/src/secret-mask.ts";

function warningsOf(
  ...calls: readonly (readonly [call: "sleep" | "think", ...given: (number | string)[]])[]
) {
  const warnings: string[] = [];
  const pauses = new ShortPauses((text) => void warnings.push(text), createMask([]).hide);
  for (const [call, ...given] of calls) pauses.look(call, given);
  return warnings;
}

test("a pause that was probably meant in seconds is named, with both spellings", () => {
  expect(warningsOf(["sleep", 1])).toEqual([
    'sleep(1) waits milliseconds. For seconds, write sleep("1s"); if milliseconds are meant, sleep("1ms")',
  ]);
  expect(warningsOf(["think", 0.5, 2.123456])).toEqual([
    'think(0.5, 2.12) waits milliseconds. For seconds, write think("0.5s", "2.12s"); if milliseconds are meant, think("0.5ms", "2.12ms")',
  ]);
});

test("only the first one of a thread is named", () => {
  expect(warningsOf(["sleep", 2], ["sleep", 3], ["think", 1])).toHaveLength(1);
});

test("texts, longer pauses and none at all are taken as written", () => {
  expect(
    warningsOf(["sleep", "1ms"], ["sleep", 0], ["sleep", 6], ["think", 1, 200], ["think", "1ms", 3]),
  ).toEqual([]);
});
