import { expect, test } from "vitest";
import { responseName } from "../../src/source/write-visit.ts";
import { atomOf, requestOf } from "./model-of.ts";

test.each([
  ["/", "home"],
  ["/account", "account"],
  ["/api/orders/4711", "orders"],
  ["/app.min.js", "app min"],
  ["/a.js", "response"],
  ["/a", "response"],
  ["/1/2", "response"],
])("the response to %s is named %s", (path, name) => {
  expect(responseName(requestOf(path))).toBe(name);
});

test("a path that is known only at run time is not named like the home page", () => {
  expect(responseName(requestOf("/", { path: [atomOf("", { kind: "variable", name: "KEY" })] }))).toBe(
    "response",
  );
});
