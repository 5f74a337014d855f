import { expect, test } from "vitest";
import { responseName } from "../../src/source/write-wave.ts";
import { atomOf, requestOf } from "./model-of.ts";

test.each([
  ["/", "home"],
  ["/account", "account"],
  ["/api/orders/4711", "orders"],
  ["/app.min.js", "app min"],
  ["/a.js", "answer"],
  ["/a", "answer"],
  ["/1/2", "answer"],
])("the answer to %s is called %s", (path, name) => {
  expect(responseName(requestOf(path))).toBe(name);
});

test("a path that is known only when the test runs is not that of the site's first page", () => {
  expect(responseName(requestOf("/", { path: [atomOf("", { kind: "variable", name: "KEY" })] }))).toBe(
    "answer",
  );
});
