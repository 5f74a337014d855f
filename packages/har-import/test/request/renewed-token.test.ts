import { expect, test } from "vitest";
import { writeTest } from "../../src/index.ts";
import { entryOf, importEntries } from "../har-file.ts";

const api = "https://shop.test/api/notes";
const refused = { status: 401, content: { size: 2, mimeType: "application/json", text: "{}" } };

function noteOf(text: string, status: number): Record<string, unknown> {
  const postData = { mimeType: "text/plain", text };
  return entryOf(api, { request: { method: "POST", bodySize: text.length, postData }, response: { status } });
}

async function sourceOf(entries: readonly Record<string, unknown>[]): Promise<string> {
  const model = await importEntries(entries);
  return (await writeTest({ model, redacted: [] }, { formatted: false })).source;
}

test("a request that was refused for its expired token, and sent again, may be accepted at once", async () => {
  const source = await sourceOf([
    entryOf(api, { response: refused }),
    entryOf("https://shop.test/api/refresh", { request: { method: "POST" } }),
    entryOf(api),
  ]);
  expect(source).toContain("expect: [200, 401]");
  expect(source).toContain("statusIs(200, 401)");
  expect(source).toContain("// 401 in the capture, then sent again");
  expect(source.match(/401/g)).toHaveLength(3);
});

test("the request is the same if its method, address and body are", async () => {
  const source = await sourceOf([noteOf("a", 401), noteOf("b", 401), noteOf("b", 201)]);
  expect(source).toContain("expect: 401 }");
  expect(source).toContain("expect: [201, 401]");
});

test("a request that only succeeded before, or never, must be refused again", async () => {
  const source = await sourceOf([
    entryOf(api),
    entryOf(api, { response: refused }),
    entryOf(api, { response: refused }),
  ]);
  expect(source).toContain("expect: 401");
  expect(source).not.toContain("statusIs(200, 401)");
});
