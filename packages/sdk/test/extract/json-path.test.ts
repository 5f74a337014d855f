import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { extract } from "../../src/index.ts";
import { writeJsonPath } from "../../src/extract/json-path.ts";
import { jsonOf } from "./answer-of.ts";

/** A document that contains a value, and the path to that value. */
const planted = fc
  .array(
    fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("__proto__", "id", "a.b", "0"), fc.nat(3)),
    {
      maxLength: 6,
    },
  )
  .map((path) => ({
    path,
    document: path.reduceRight<unknown>(
      (inner, key) =>
        typeof key === "number"
          ? [...Array<null>(key).fill(null), inner]
          : Object.fromEntries([[key, inner]]),
      "value",
    ),
  }));

test("a path that was written can be read again, whatever its keys are", () => {
  fc.assert(
    fc.property(planted, ({ path, document }) => {
      expect(extract(jsonOf(document), { json: writeJsonPath(path) })).toBe("value");
    }),
  );
});

test("a path is written as a person would write it", () => {
  expect(writeJsonPath(["user", "items", 0, "id"])).toBe("user.items[0].id");
  expect(writeJsonPath([0, "odd key", "x-y"])).toBe('[0]["odd key"].x-y');
});
