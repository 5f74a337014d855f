import { expect, test } from "vitest";

import { mapAtoms } from "../../src/request/map-atoms.ts";
import { knownText, textValue } from "../../src/value.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

const post = (url: string, mimeType: string, text: string) =>
  entryOf(url, {
    request: { method: "POST", postData: { mimeType, text }, headers: [{ name: "x-a", value: "header" }] },
  });

async function everyPlace() {
  return importEntries([
    documentOf("https://shop.test/segment?q=query", {
      request: { cookies: [{ name: "theme", value: "cookie" }] },
    }),
    post("https://shop.test/f", "application/x-www-form-urlencoded", "a=form"),
    post("https://shop.test/j", "application/json", '{"a":[{"b":"json"}]}'),
    post("https://shop.test/t", "text/csv", "text"),
    post(
      "https://shop.test/m",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nmultipart\r\n--x--\r\n',
    ),
  ]);
}

test("every value of a model is asked about, in every place", async () => {
  const asked = new Map<string, string>();
  mapAtoms(await everyPlace(), ({ value }, { kind }) => {
    const text = knownText(value) ?? "";
    if (text === kind || text === "segment" || text === "") asked.set(kind, text);
    return value;
  });
  expect([...asked.keys()].sort()).toEqual(
    ["cookie", "form", "header", "json", "multipart", "path", "query", "text"].sort(),
  );
});

test("a value that changes forgets how it was written; one that stays is the same", async () => {
  const model = await everyPlace();
  const same = mapAtoms(model, ({ value }) => value);
  expect(same).toEqual(model);
  const changed = mapAtoms(model, ({ name, value }) => (name === "q" ? textValue("new") : value));
  const [first] = requestsOf(changed);
  expect(first?.query).toEqual([{ name: "q", value: textValue("new"), written: null }]);
  expect(first?.path).toEqual(requestsOf(model)[0]?.path);
});
