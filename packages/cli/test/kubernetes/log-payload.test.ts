import { randomBytes } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import { isOfPayload, findLogPayload, writeLogPayload } from "../../src/kubernetes/log-payload.ts";

test("a payload is read back from a log, whatever precedes it", () => {
  const content = fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes));
  const kind = fc.constantFrom("recording" as const, "result" as const);
  fc.assert(
    fc.property(content, kind, fc.string(), (given, its, before) => {
      const payload = writeLogPayload({ kind: its, content: given });
      expect(findLogPayload(`${before}\n${payload}`)).toEqual({ state: "whole", kind: its, content: given });
    }),
    { numRuns: 50 },
  );
});

const payload = writeLogPayload({ kind: "result", content: randomBytes(30_000) });
const lines = payload.trimEnd().split("\n");

test("no line is so long that a container's log splits it", () => {
  expect(lines.length).toBeGreaterThan(8);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(8192);
  expect(lines.every(isOfPayload)).toBe(true);
});

test("a payload with missing lines is reported as broken, never read wrongly", () => {
  const cuts = lines.flatMap((_, index) =>
    index === 0 ? [] : [lines.slice(index), lines.slice(0, index), lines.toSpliced(index, 1)],
  );
  expect(cuts.length).toBeGreaterThan(20);
  expect(new Set(cuts.map((cut) => findLogPayload(cut.join("\n")).state))).toEqual(new Set(["broken"]));
});

test("a changed letter breaks the checksum", () => {
  const changed = payload.replace(/(?<=begin.*\n#bearhug .{20})./, (letter) => (letter === "A" ? "B" : "A"));
  expect(changed).not.toBe(payload);
  expect(findLogPayload(changed)).toEqual({ state: "broken" });
});

test("a payload is absent from a log without one, and the last of several counts", () => {
  expect(findLogPayload("bearhug: nothing here\n")).toEqual({ state: "absent" });
  const later = writeLogPayload({ kind: "recording", content: Buffer.from("later") });
  expect(findLogPayload(payload + later)).toEqual({
    state: "whole",
    kind: "recording",
    content: Buffer.from("later"),
  });
});
