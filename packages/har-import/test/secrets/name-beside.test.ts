import { expect, test } from "vitest";
import { importCapture } from "../../src/index.ts";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { bytesOf, documentOf, entryOf, harOf } from "../har-file.ts";

const json: readonly unknown[] = [
  [{ name: "password", value: "sunshine-x" }],
  [{ value: "sunshine-x", name: "user[password]" }],
  { key: "pin", val: "sunshine-x" },
  { type: "password", value: "sunshine-x", temporary: false },
  [
    ["user", "bob"],
    ["password", "sunshine-x"],
  ],
  { password: { value: "sunshine-x", hint: "none" } },
];

test.each(json.map((value) => JSON.stringify(value)))(
  "%s: a secret name beside a value makes the value a secret",
  async (text) => {
    expect(secretsIn(text)).toEqual(["sunshine-x"]);
    const login = entryOf("https://shop.test/login", {
      _resourceType: "xhr",
      request: { method: "POST", postData: { mimeType: "application/json", text } },
    });
    const har = harOf([documentOf("https://shop.test/"), login]);
    const imported = await importCapture(() => bytesOf(har));
    expect(JSON.stringify(imported.model)).not.toContain("sunshine-x");
    expect(imported.redacted).toContain("sunshine-x");
  },
);

test.each([
  [{ name: "colour", value: "sunshine-x" }],
  { name: "password", note: "sunshine-x" },
  ["password", "sunshine-x"],
  [["password", "reset", "sunshine-x"]],
  { name: "a long sentence about the password that was lost!", value: "sunshine-x" },
  { password: { hint: "sunshine-x" } },
])("%j has no value with a secret name", (value) => {
  expect(secretsIn(JSON.stringify(value))).toEqual([]);
});

function secretsIn(text: string): string[] {
  return findSecrets(text, "").map(({ start, end }) => text.slice(start, end));
}

test.each([
  "<a><Pass><![CDATA[sunshine-x]]></Pass></a>",
  '<Credential name="password" value="sunshine-x"/>',
  '<p value="sunshine-x" k="password"/>',
  '<input type="password" name="f7" value="sunshine-x">',
  `<input type='password' value='sunshine-x'>`,
  '<entry key="password">sunshine-x</entry>',
  'mutation { login(user:"bob", passwd: """sunshine-x""") { ok } }',
  "headers['X-Api-Key'] = 'sunshine-x'",
  'xhr.setRequestHeader("X-Api-Key", "sunshine-x");',
  "user: bob\npassword: sunshine\nport: 80",
  "credentials:\n  - password: sunshine",
])("%s: a secret is found by a name in an unusual place", (text) => {
  expect(secretsIn(text)).toEqual([expect.stringMatching(/^sunshine(-x)?$/)]);
});

test.each([
  "Your password: see below",
  "password: string",
  "t('password', 'field')[0]",
  '<label for="password">Sunshine</label>',
  '<input type="submit" name="colour" value="sunshine-x">',
])("%s: no secret is found", (text) => {
  expect(secretsIn(text)).toEqual([]);
});

test("long texts of every such form are searched without an error", () => {
  for (const piece of ["<a ", '<a k="', "<Pass><![CDATA[", "('", "password: ", '"""', "<x name='password' "])
    expect(() => findSecrets(piece.repeat(200_000 / piece.length), "")).not.toThrow();
});

test("a secret is found in a response nested 20,000 levels deep, and its capture is imported", async () => {
  const text = `${'{"a":'.repeat(20_000)}{"password":"sunshine-x"}${"}".repeat(20_000)}`;
  expect(secretsIn(text)).toEqual(["sunshine-x"]);
  const deepEntry = entryOf("https://shop.test/deep", {
    _resourceType: "xhr",
    response: { content: { mimeType: "application/json", text } },
  });
  const har = harOf([documentOf("https://shop.test/"), deepEntry]);
  const imported = await importCapture(() => bytesOf(har));
  expect(JSON.stringify(imported.model)).not.toContain("sunshine-x");
});
