import { createMask } from "@bearhug/text/secret-mask";
import { expect, test } from "vitest";

import { createLog } from "../../src/worker/log.ts";

function logged(...message: readonly unknown[]): string {
  const lines: string[] = [];
  createLog(({ text }) => lines.push(text), createMask(['sword"fish', "two\nlines"]), "test")(...message);
  return lines.join("\n");
}

test("objects are shown as Node inspects them, texts as they are", () => {
  const order = { id: 7, items: [{ name: "honey" }], at: new Date(0), of: new Map([[1, "a"]]) };
  expect(logged("order", order, [1, 2], null, true)).toBe(
    "order { id: 7, items: [ { name: 'honey' } ], at: 1970-01-01T00:00:00.000Z, of: Map(1) { 1 => 'a' } } [ 1, 2 ] null true",
  );
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(logged(loop)).toBe("<ref *1> { self: [Circular *1] }");
  expect(logged(new RangeError("too far"))).toBe("RangeError: too far");
  expect(logged(undefined)).toBe("undefined");
});

test.each(['sword"fish', "two\nlines", 'it\'s the "sword"fish`'])(
  "secrets within objects are masked: %j",
  (secret) => {
    const text = logged({ order: secret, deep: [{ value: `a ${secret} b` }] });
    expect(text).not.toMatch(/sword"?fish|two(\n|\\n)lines/);
    expect(text).toContain("***");
  },
);

test("a long text is cut, but never within a secret", () => {
  for (let before = 9_970; before < 10_010; before++) {
    const text = logged({
      a: `${"x".repeat(before)}sword"fish`,
      b: Array.from({ length: 10_000 }, () => "y"),
    });
    expect(text.length).toBeLessThan(10_100);
    expect(text).not.toMatch(/x"?s/);
  }
});

test("an object that throws when it is inspected is logged, too", () => {
  const hostile = {
    [Symbol.for("nodejs.util.inspect.custom")]: () => {
      throw new Error("no");
    },
  };
  expect(logged(hostile)).toBe("[object Object]");
});
