import { expect, test } from "vitest";
import { writeTest } from "../../src/index.ts";
import { sourceOfField } from "../field-capture.ts";
import { documentOf, entryOf, importEntries } from "../har-file.ts";

test("a multipart part with a numeric name keeps its place", async () => {
  expect(await sourceOfField("multipart-zero")).toMatch(
    /multipart: \[\s*\["_1_title", "Recorded item"\],\s*\["0", '\["\$K1"\]'\],\s*\]/,
  );
});

async function sourceOfPost(contentType: string, postData: Record<string, unknown>): Promise<string> {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/new", {
      _resourceType: "xhr",
      request: { method: "POST", headers: [{ name: "content-type", value: contentType }], postData },
    }),
  ]);
  return (await writeTest({ model, redacted: [] })).source;
}

test.each([
  ["after a part with a numeric name", "photo", "image/png"],
  ["with a type that is invalid in headers", "photo", "image/ピ"],
  ["with a line break in its name", "photo\nof me", "image/png"],
])("an uploaded file is read from its path, even %s", async (_how, name, type) => {
  const contentType = "multipart/form-data; boundary=x";
  const source = await sourceOfPost(contentType, {
    mimeType: contentType,
    params: [
      { name: "b", value: "1" },
      { name: "0", value: "2" },
      { name, value: "", fileName: "cat.png", contentType: type },
    ],
  });
  expect(source).toContain("contentOf(env.PHOTO");
  expect(source).not.toContain("Content-Disposition");
});

test("form fields with numeric names keep their places beside a run-time value", async () => {
  const type = "application/x-www-form-urlencoded";
  const source = await sourceOfPost(type, { mimeType: type, text: "name=a&1=b&password=Invented-Pw9" });
  expect(source).toMatch(/form: \[\s*\["name", "a"\],\s*\["1", "b"\],\s*\["password", env\.PASSWORD\],\s*\]/);
});

test("a query with a run-time value keeps the bytes of its other parameters", async () => {
  expect(await sourceOfField("pct")).toMatch(
    /"\/api\/s\?q=two%20words&f=a%2Cb%27\(c\)\*~&access_token=" \+\s*encodeURIComponent\(env\.ACCESS_TOKEN\)/,
  );
});
