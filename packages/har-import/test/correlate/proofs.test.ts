import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

const line = '{"took":3,"error":null}\n';

test.each([
  ["application/json", [{ kind: "no errors" }]],
  ["application/x-ndjson", []],
  ["application/jsonl; charset=utf-8", []],
  ["application/stream+json", []],
])("a response with one JSON value of type %s gives the proofs %j", async (mimeType, expected) => {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/do", {
      request: { method: "POST" },
      response: { content: { size: line.length, mimeType, text: line } },
    }),
  ]);
  expect(requestsOf(model).at(-1)?.proofs).toEqual(expected);
});
