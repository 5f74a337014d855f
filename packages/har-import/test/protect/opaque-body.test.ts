import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

async function hintsOf(bytes: Buffer): Promise<readonly string[]> {
  const text = bytes.toString("base64");
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/up", {
      _resourceType: "xhr",
      request: {
        method: "POST",
        postData: { mimeType: "application/octet-stream", text, encoding: "base64" },
      },
    }),
  ]);
  return requestsOf(model).flatMap(({ hints }) => hints);
}

test.each([
  ["gzip", gzipSync('{"password":"sunshine"}')],
  ["zlib", deflateSync('{"password":"sunshine"}')],
])("a hint says that a body compressed with %s was not searched", async (_format, bytes) => {
  expect(await hintsOf(bytes)).toEqual([expect.stringContaining("may contain secrets")]);
});

test("a hint says where bytes were masked", async () => {
  const bytes = Buffer.from([0xff, 0xfe, ...Buffer.from("password=sunshine-x&"), 0xff]);
  expect(await hintsOf(bytes)).toEqual([expect.stringContaining("replaced with asterisks")]);
});

test("other bytes need no hint", async () => {
  expect(await hintsOf(Buffer.from([0xff, 0xfe, 0, 1, 2, 3]))).toEqual([]);
});
