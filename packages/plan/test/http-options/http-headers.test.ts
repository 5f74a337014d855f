import { expect, test } from "vitest";

import { validateTest } from "../../src/definition/validate-test.ts";
import { messagesOf } from "../definition/messages-of.ts";

const scenarios = { readers: { executor: "shared-iterations", exec: (): void => undefined } };

function headersOf(headers: unknown): readonly string[] | undefined {
  return validateTest({ http: { headers }, scenarios }).test?.http.headers;
}

test("headers may be a Headers object, or pairs in which a name occurs several times", () => {
  expect(headersOf(new Headers({ "X-One": "1" }))).toEqual(["x-one", "1"]);
  const pairs = [
    ["constructor", "a"],
    ["x-b", "1"],
    ["constructor", "b"],
  ];
  expect(headersOf(pairs)).toEqual(["constructor", "a", "constructor", "b", "x-b", "1"]);
  expect(messagesOf({ http: { headers: new Map([["a b", "1"]]) }, scenarios })).toEqual([
    expect.stringMatching(/^http\.headers\["a b"\] is not/),
  ]);
});
