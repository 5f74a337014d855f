import fc from "fast-check";
import { expect, test } from "vitest";

import { describeUncopied } from "../../src/worker/describe-uncopied.ts";

const pick = (): number => 1;
const circular: Record<string, unknown> = { name: "ann" };
circular["self"] = circular;

test.each([
  [pick, "it is a function"],
  [{ users: [{ pick }] }, "data.users[0].pick is a function"],
  [[1, { "odd key": Symbol("x") }], 'data[1]["odd key"] is a symbol'],
  [{ found: Promise.resolve(1) }, "data.found is a Promise"],
  [{ cache: new WeakMap() }, "data.cache is a WeakMap"],
  [{ users: new Map([["ann", { pick }]]) }, "data.users.ann.pick is a function"],
  [{ all: new Set([1, pick]) }, "data.all[1] is a function"],
  [
    {
      user: new (class User {
        readonly pick = pick;
      })(),
    },
    "data.user.pick is a function",
  ],
  [{ circular, pick }, "data.pick is a function"],
  // Proxies and getters are known only by what Node says.
  [new Proxy({}, {}), null],
  [
    {
      get later(): never {
        throw new Error("boom");
      },
    },
    null,
  ],
])("of data that cannot be copied, the part is named: %#", (data, sentence) => {
  expect(() => structuredClone(data)).toThrow();
  expect(describeUncopied(data)).toBe(sentence);
});

test("data that is nested deeply takes no time", () => {
  let data: unknown = pick;
  for (let level = 0; level < 100_000; level++) data = [data];
  expect(describeUncopied(data)).toMatch(/^data(?:\[0\]){10} is a function$/);
});

test("nothing is named of data that can be copied", () => {
  const copied = fc.anything({
    withMap: true,
    withSet: true,
    withDate: true,
    withTypedArray: true,
    withBigInt: true,
  });
  fc.assert(
    fc.property(copied, (data) => {
      expect(describeUncopied(data)).toBeNull();
    }),
  );
});
