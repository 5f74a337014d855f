import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

test("a body that is too large to search for secrets is omitted, and a note and a hint say so", async () => {
  const text = "words of a book ".repeat(600_000);
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/up", {
      _resourceType: "xhr",
      request: { method: "POST", postData: { mimeType: "text/plain", text } },
    }),
  ]);
  expect(model.notes[0]).toContain("1 request body was omitted: bodies over 8 MiB");
  const [, upload] = requestsOf(model);
  expect(upload?.body).toBeNull();
  expect(upload?.hints).toEqual([expect.stringContaining("over 8 MiB")]);
});
