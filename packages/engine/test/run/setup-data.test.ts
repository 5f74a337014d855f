import { expect, test } from "vitest";

import { readSetupData, writeSetupData } from "../../src/run/set-up-test.ts";

const identity = { testHash: "abc", seed: 7 };
const circle: Record<string, unknown> = {};
circle["self"] = circle;

test("setup data arrives as it was returned", () => {
  const data = { token: "t1", users: [{ id: 1 }, { id: 2 }], none: null };
  expect(readSetupData(writeSetupData(identity, data), identity, "setup.json")).toEqual(data);
});

test.each([
  ["a Map", new Map([["a", 1]])],
  ["a BigInt", { id: 7n }],
  ["a circle", circle],
  ["a date", { at: new Date(0) }],
])("%s is refused: JSON cannot hold it", (_, data) => {
  expect(() => writeSetupData(identity, data)).toThrow(
    "setup returned data that JSON cannot hold. Return plain objects, arrays, texts and numbers",
  );
});

test.each([
  ['{"schema":', "setup.json does not hold setup data: "],
  ["null", "setup.json does not hold the setup data of this test and seed"],
  [writeSetupData({ ...identity, seed: 8 }, {}), "setup.json does not hold the setup data of this test"],
])("%s is not accepted as setup data", (text, message) => {
  expect(() => readSetupData(text, identity, "setup.json")).toThrow(message);
});
