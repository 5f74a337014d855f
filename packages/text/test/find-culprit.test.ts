import fc from "fast-check";
import { expect, test } from "vitest";

import { findCulprit } from "../src/find-culprit.ts";

test("the innermost part that cannot be converted is found, with its path", () => {
  const culprit = (value: unknown) => findCulprit(value, JSON.stringify);
  expect(culprit(5n)).toEqual({ path: [], value: 5n, isCircular: false });
  expect(culprit({ a: [1, { b: 5n }], c: 6n })).toEqual({
    path: ["a", 1, "b"],
    value: 5n,
    isCircular: false,
  });
  const owner: { list?: unknown } = {};
  owner.list = [{ owner }];
  expect(culprit({ owner })).toEqual({ path: ["owner", "list", 0, "owner"], value: owner, isCircular: true });
  const pick = (): number => 1;
  expect(findCulprit({ users: [{ pick }] }, structuredClone)).toMatchObject({
    path: ["users", 0, "pick"],
    value: pick,
  });
});

test("a big integer anywhere in a value is found", () => {
  const holding = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(5n),
      fc.tuple(fc.integer(), tie("value")),
      fc.record({ first: fc.string(), "odd key": tie("value") }),
    ),
  })).value;
  fc.assert(
    fc.property(holding, (value) => {
      expect(findCulprit(value, JSON.stringify)).toMatchObject({ value: 5n, isCircular: false });
    }),
  );
});
