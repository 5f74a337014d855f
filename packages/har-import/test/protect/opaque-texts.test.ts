import { expect, test } from "vitest";
import { fieldBytes } from "../field-capture.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

/** Returns the opaque body of a recorded bot check. */
function opaqueText(): string {
  const har = JSON.parse(new TextDecoder().decode(fieldBytes("opaque"))) as {
    log: { entries: { request: { postData?: { text: string } } }[] };
  };
  return har.log.entries[1]?.request.postData?.text ?? "";
}

async function importPost(mimeType: string, text: string) {
  return await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/report", {
      _resourceType: "xhr",
      request: {
        method: "POST",
        headers: [{ name: "content-type", value: mimeType }],
        postData: { mimeType, text },
      },
    }),
  ]);
}

test("an unreadable text becomes one variable", async () => {
  const { variables, ...model } = await importPost("text/plain", opaqueText());
  expect(variables.map(({ name, isOptional }) => [name, isOptional])).toEqual([["BODY", true]]);
  expect(requestsOf({ ...model, variables })[1]?.body).toMatchObject({
    text: { value: [{ kind: "variable", name: "BODY" }] },
  });
});

test("an unreadable text in a field becomes one variable", async () => {
  const { variables } = await importPost("application/json", JSON.stringify({ page: 1, blob: opaqueText() }));
  expect(variables.map(({ name }) => name)).toEqual(["BLOB"]);
});

/** Returns a random-looking text that differs for each number. */
function randomText(number: number): string {
  return opaqueText()
    .replace(/[^A-Za-z\d]/g, "")
    .slice(number * 30, number * 30 + 30);
}

const many = Array.from({ length: 40 }, (_, index) => randomText(index));

test.each([
  ["application/json", JSON.stringify(many.map((text) => ({ t: text })))],
  ["application/x-www-form-urlencoded", many.map((text, index) => `f${String(index)}=${text}`).join("&")],
])(
  "a body of type %s that has only random values becomes one variable with its exact bytes",
  async (mimeType, text) => {
    const { variables, ...model } = await importPost(mimeType, text);
    expect(variables.map(({ name }) => name)).toEqual(["BODY"]);
    expect(requestsOf({ ...model, variables })[1]?.body?.kind).toBe("text");
  },
);

test("a body that contains a password is still split into fields", async () => {
  const values = Object.fromEntries(many.map((text, index) => [`f${String(index)}`, text]));
  const text = JSON.stringify({ user: "jane", password: "Invented-Pw9", ...values });
  const { variables } = await importPost("application/json", text);
  expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(["SITE_USER", "PASSWORD"]));
});

test("in a text with only a few keys, each key becomes a variable", async () => {
  const text = `one ${randomText(1)} and ${randomText(2)}, then ${randomText(3)} and ${randomText(4)}`;
  expect((await importPost("text/plain", text)).variables).toHaveLength(4);
});
