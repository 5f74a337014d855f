import { randomBytes } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import { isOfLastWords, readLastWords, writeLastWords } from "../../src/kubernetes/last-words.ts";

test("last words are read back from a log, whatever precedes them", () => {
  const content = fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes));
  const kind = fc.constantFrom("recording" as const, "result" as const);
  fc.assert(
    fc.property(content, kind, fc.string(), (given, its, before) => {
      const words = writeLastWords({ kind: its, content: given });
      expect(readLastWords(`${before}\n${words}`)).toEqual({ state: "whole", kind: its, content: given });
    }),
    { numRuns: 50 },
  );
});

const words = writeLastWords({ kind: "result", content: randomBytes(30_000) });
const lines = words.trimEnd().split("\n");

test("no line is so long that a container's log splits it", () => {
  expect(lines.length).toBeGreaterThan(8);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(8192);
  expect(lines.every(isOfLastWords)).toBe(true);
});

test("last words with missing lines are reported as broken, never read wrongly", () => {
  const cuts = lines.flatMap((_, index) =>
    index === 0 ? [] : [lines.slice(index), lines.slice(0, index), lines.toSpliced(index, 1)],
  );
  expect(cuts.length).toBeGreaterThan(20);
  expect(new Set(cuts.map((cut) => readLastWords(cut.join("\n")).state))).toEqual(new Set(["broken"]));
});

test("a changed letter breaks the checksum", () => {
  const changed = words.replace(/(?<=begin.*\n#bearhug .{20})./, (letter) => (letter === "A" ? "B" : "A"));
  expect(changed).not.toBe(words);
  expect(readLastWords(changed)).toEqual({ state: "broken" });
});

test("last words are absent from a log without them, and the last of several count", () => {
  expect(readLastWords("bearhug: nothing here\n")).toEqual({ state: "absent" });
  const later = writeLastWords({ kind: "recording", content: Buffer.from("later") });
  expect(readLastWords(words + later)).toEqual({
    state: "whole",
    kind: "recording",
    content: Buffer.from("later"),
  });
});
