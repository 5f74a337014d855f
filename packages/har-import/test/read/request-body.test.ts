import { expect, test } from "vitest";
import type { CaptureEntry } from "../../src/index.ts";
import { entryOf, harOf, read } from "../har-file.ts";

async function readOne(rest: Parameters<typeof entryOf>[1]): Promise<CaptureEntry> {
  const { entries } = await read(harOf([entryOf("https://shop.example/", rest)]));
  return entries[0]!;
}

test("the body of a GET is read with its text and params; if it has no type, the header's is used", async () => {
  const headers = [{ name: "content-type", value: "application/x-www-form-urlencoded" }];
  const postData = { mimeType: null, text: "a=b", params: [{ name: "a", value: "b" }, { name: 7 }, null] };
  expect((await readOne({ request: { headers, postData } })).request.postData).toEqual({
    mimeType: "application/x-www-form-urlencoded",
    text: "a=b",
    isBase64: false,
    params: [{ name: "a", value: "b", fileName: null, contentType: null }],
  });
});

test.each([
  [{ bodySize: 7, headers: [{ name: "Content-Length", value: "9" }] }, 9],
  [{ bodySize: 9, headers: [{ name: "Content-Length", value: "7" }] }, 9],
  [{ bodySize: 0, headers: [{ name: "Content-Length", value: "482" }] }, 482],
  [{ bodySize: -1, headers: [{ name: "content-length", value: " 0 " }] }, 0],
  [{ bodySize: 0 }, 0],
  [{ bodySize: -1 }, null],
  [{ bodySize: "7", headers: [{ name: "content-length", value: "-9e9" }] }, null],
  [{ bodySize: null, headers: [{ name: "content-length", value: "9".repeat(400) }] }, null],
])("the size of a request body is read even if its text is missing: %j", async (request, expected) => {
  expect((await readOne({ request })).request.bodyBytes).toBe(expected);
});

test("a request body that is marked as base64 but is not is reported and read as text", async () => {
  const postData = { mimeType: "a/b", text: "<svg>", encoding: "base64" };
  const { entries, findings } = await read(
    harOf([entryOf("https://shop.example/", { request: { postData } })]),
  );
  expect(entries[0]?.request.postData).toEqual({
    mimeType: "a/b",
    text: "<svg>",
    isBase64: false,
    params: [],
  });
  expect(findings.map(({ path }) => path)).toEqual(["$.log.entries[0].request.postData.text"]);
});
