import fc from "fast-check";
import { expect, test } from "vitest";
import { Identifiers } from "../src/identifiers.ts";
import { TableNames } from "../src/parameterize/parameterize.ts";
import { UniqueNames } from "../src/unique-names.ts";

test("the first gets the requested name, the others get a number", () => {
  const names = new UniqueNames({ separator: "-" });
  expect(["a", "a", "b", "a-3", "a"].map((requested) => names.take(requested))).toEqual([
    "a",
    "a-2",
    "b",
    "a-3",
    "a-4",
  ]);
});

test("names that are already taken, in this or the outer scope, are not assigned again", () => {
  const outer = new UniqueNames({ taken: ["a", "a2"] });
  const inner = outer.inner();
  expect([inner.take("a"), inner.take("b"), outer.take("b"), outer.take("a")]).toEqual([
    "a3",
    "b",
    "b",
    "a3",
  ]);
});

test("with ignoresCase, names that differ only in case count as the same", () => {
  const names = new UniqueNames({ ignoresCase: true });
  expect(["a", "A", "a2", "A"].map((requested) => names.take(requested))).toEqual(["a", "A2", "a22", "A3"]);
});

test("no name is assigned twice", () => {
  const requests = fc.array(fc.stringMatching(/^[aA][12]{0,2}$/));
  fc.assert(
    fc.property(requests, fc.boolean(), (all, ignoresCase) => {
      const names = new UniqueNames({ ignoresCase });
      const assigned = all.map((requested) => names.take(requested));
      const compared = ignoresCase ? assigned.map((name) => name.toLowerCase()) : assigned;
      expect(new Set(compared).size).toBe(all.length);
    }),
  );
});

test.each([
  ["names", () => new UniqueNames()],
  ["identifiers", () => new Identifiers()],
  ["identifiers of an inner scope", () => new Identifiers().inner()],
  ["names of tables", () => new TableNames()],
])("fifty thousand requests for one name are served in less than 5 s of CPU time: %s", (_what, create) => {
  const names = create();
  const usage = process.cpuUsage();
  const assigned = Array.from({ length: 50_000 }, () => names.take("item"));
  expect(assigned.at(-1)).toBe("item50000");
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
