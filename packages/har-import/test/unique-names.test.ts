import fc from "fast-check";
import { expect, test } from "vitest";
import { Identifiers } from "../src/identifiers.ts";
import { TableNames } from "../src/parameterize/parameterize.ts";
import { UniqueNames } from "../src/unique-names.ts";

test("the first has the name that is wished for, the others a number", () => {
  const names = new UniqueNames({ separator: "-" });
  expect(["a", "a", "b", "a-3", "a"].map((wished) => names.take(wished))).toEqual([
    "a",
    "a-2",
    "b",
    "a-3",
    "a-4",
  ]);
});

test("names that are taken already, here or around, are not given", () => {
  const outer = new UniqueNames({ taken: ["a", "a2"] });
  const inner = outer.inner();
  expect([inner.take("a"), inner.take("b"), outer.take("b"), outer.take("a")]).toEqual([
    "a3",
    "b",
    "b",
    "a3",
  ]);
});

test("where case makes no difference, it makes no name another", () => {
  const names = new UniqueNames({ ignoresCase: true });
  expect(["a", "A", "a2", "A"].map((wished) => names.take(wished))).toEqual(["a", "A2", "a22", "A3"]);
});

test("no name is given twice", () => {
  const wishes = fc.array(fc.stringMatching(/^[aA][12]{0,2}$/));
  fc.assert(
    fc.property(wishes, fc.boolean(), (all, ignoresCase) => {
      const names = new UniqueNames({ ignoresCase });
      const given = all.map((wished) => names.take(wished));
      const compared = ignoresCase ? given.map((name) => name.toLowerCase()) : given;
      expect(new Set(compared).size).toBe(all.length);
    }),
  );
});

test.each([
  ["names", () => new UniqueNames()],
  ["identifiers", () => new Identifiers()],
  ["identifiers of an inner place", () => new Identifiers().inner()],
  ["names of tables", () => new TableNames()],
])("fifty thousand %s of one wish take no time to speak of", (_what, create) => {
  const names = create();
  const usage = process.cpuUsage();
  const given = Array.from({ length: 50_000 }, () => names.take("item"));
  expect(given.at(-1)).toBe("item50000");
  expect(process.cpuUsage(usage).user).toBeLessThan(5_000_000);
});

test.each([
  ["HTMLParser", "htmlParser"],
  ["URL", "url"],
  ["CSRF-Token", "csrfToken"],
  ["Token", "token"],
  ["userID", "userID"],
  ["X1", "x1"],
])("the identifier of %s is %s", (words, identifier) => {
  expect(new Identifiers().take(words)).toBe(identifier);
});
