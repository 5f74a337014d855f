import { expect, test } from "vitest";
import { noteMissingSession } from "../../src/request/draft-model.ts";
import { visitOf } from "./visit-of.ts";

const post = { method: "POST" };

test("a login without any cookie or credential is worth a word", async () => {
  expect(noteMissingSession([await visitOf("https://shop.test/login", { request: post })])).toHaveLength(1);
  const form = { ...post, postData: { mimeType: "", params: [{ name: "password", value: "x" }] } };
  expect(noteMissingSession([await visitOf("https://shop.test/enter", { request: form })])).toHaveLength(1);
});

test.each([
  ["nobody logs in", "https://shop.test/", {}],
  ["the form of a login is only looked at", "https://shop.test/login", {}],
  [
    "a cookie was recorded",
    "https://shop.test/login",
    { request: { ...post, cookies: [{ name: "a", value: "b" }] } },
  ],
  [
    "a cookie was set",
    "https://shop.test/login",
    { request: post, response: { headers: [{ name: "set-cookie", value: "a=b" }] } },
  ],
])("but not where %s", async (_why, url, entry) => {
  expect(noteMissingSession([await visitOf(url, entry)])).toEqual([]);
});
