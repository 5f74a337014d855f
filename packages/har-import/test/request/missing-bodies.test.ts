import { expect, test } from "vitest";
import { noteMissingBodies } from "../../src/missing-body.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";
import { visitOf } from "./visit-of.ts";

const upload = { request: { method: "POST", bodySize: 5120 } };

test("a note counts the bodies that were not recorded", async () => {
  const post = await visitOf("https://shop.test/files", upload);
  const page = await visitOf("https://shop.test/");
  expect(noteMissingBodies([page])).toEqual([]);
  expect(noteMissingBodies([page, post])).toEqual([
    "1 request body was not recorded in full, as is usual for uploads. Comments in the test say how to add what is missing.",
  ]);
  expect(noteMissingBodies([post, page, post])).toEqual([
    "2 request bodies were not recorded in full, as is usual for uploads. Comments in the test say how to add what is missing.",
  ]);
});

test("an import has a note about missing bodies", async () => {
  const { notes } = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/files", upload),
  ]);
  expect(notes).toContainEqual(expect.stringMatching(/^1 request body was not recorded/));
});

const part = '--x\r\nContent-Disposition: form-data; name="photo"; filename="cat.jpg"\r\n\r\n\r\n--x--\r\n';

async function hintsFor(length: number, postData: Record<string, unknown>): Promise<readonly string[]> {
  const headers = [{ name: "content-length", value: String(length) }];
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/up", { request: { method: "POST", headers, postData } }),
  ]);
  return requestsOf(model)[1]?.hints ?? [];
}

test.each([
  [
    "a text",
    900,
    { mimeType: "text/plain", text: "half" },
    "896 bytes of the request body were not recorded",
  ],
  [
    "bytes",
    900,
    { mimeType: "application/zip", text: "AAEC", encoding: "base64" },
    "897 bytes of the request body were not recorded",
  ],
  [
    "a file",
    900,
    { mimeType: "multipart/form-data; boundary=x", text: part },
    "the uploaded file was not recorded: set PHOTO_FILE to the path of one",
  ],
])("a partly recorded body has a hint: %s", async (_what, length, postData, hint) => {
  expect(await hintsFor(length, postData)).toEqual([expect.stringContaining(hint)]);
});

test.each([
  ["a text with two-byte characters", 8, { mimeType: "text/plain", text: "ääää" }],
  ["bytes", 4, { mimeType: "application/zip", text: "AAECAw==", encoding: "base64" }],
  ["an empty file", part.length, { mimeType: "multipart/form-data; boundary=x", text: part }],
  [
    "form fields without the body's text",
    900,
    { mimeType: "text/plain", params: [{ name: "a", value: "b" }] },
  ],
])("a body recorded in full has no hint: %s", async (_what, length, postData) => {
  expect(await hintsFor(length, postData)).toEqual([]);
});
