import { expect, test } from "vitest";
import { noteMissingSession } from "../../src/request/sessions.ts";
import { visitOf } from "./visit-of.ts";

const post = { method: "POST" };

test("a note reports a login without any cookie or credential", async () => {
  expect(noteMissingSession([await visitOf("https://shop.test/login", { request: post })])).toHaveLength(1);
  const form = { ...post, postData: { mimeType: "", params: [{ name: "password", value: "x" }] } };
  expect(noteMissingSession([await visitOf("https://shop.test/enter", { request: form })])).toHaveLength(1);
});

test.each([
  ["there is no login", "https://shop.test/", {}],
  ["a login form is only opened", "https://shop.test/login", {}],
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
])("there is no note if %s", async (_why, url, entry) => {
  expect(noteMissingSession([await visitOf(url, entry)])).toEqual([]);
});
