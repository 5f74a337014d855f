import { expect, test } from "vitest";
import { importField, sourceOfField } from "../field-capture.ts";
import { documentOf, importEntries } from "../har-file.ts";

test("the path of an uploaded file is not a secret", async () => {
  const { variables } = (await importField("upload")).model;
  expect(variables.map(({ name, isPublic }) => [name, isPublic])).toEqual([["PHOTO_FILE", true]]);
  expect(await sourceOfField("upload")).toMatch(/PHOTO_FILE: \{\s*optional: true,\s*description:/);
});

test.each([
  ["theme", "dark", true],
  ["lang", "en-gb", true],
  ["sid", "abc", undefined],
  ["visit", "kq8Jd72hLpQ0zXv5Tn3M", undefined],
  ["session", "9f-blue-Horse", undefined],
])("isPublic of the cookie %s=%s is %s", async (name, value, isPublic) => {
  const { variables } = await importEntries([
    documentOf("https://shop.test/", { request: { cookies: [{ name, value }] } }),
  ]);
  expect(variables[0]?.isPublic).toBe(isPublic);
});
