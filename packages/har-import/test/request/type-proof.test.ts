import { expect, test } from "vitest";
import { entryOf, importEntries, type Overrides, requestsOf } from "../har-file.ts";

interface Exchange {
  readonly path?: string;
  readonly method?: string;
  readonly accept?: string;
  /** null for a recording without response headers. */
  readonly type?: string | null;
  readonly response?: Overrides<Readonly<Record<string, unknown>>>;
}

async function typesOf({ path = "/a", method = "GET", accept = "*/*", type = null, response }: Exchange) {
  const headers = type === null ? [] : [{ name: "Content-Type", value: type }];
  const model = await importEntries([
    entryOf(`https://shop.test${path}`, {
      request: { method, headers: [{ name: "Accept", value: accept }] },
      response: { headers, content: { size: 2, mimeType: "application/json", text: "[]" }, ...response },
    }),
  ]);
  const proofs = [...requestsOf(model)].flatMap((request) => request.proofs);
  return proofs.flatMap((proof) => (proof.kind === "type" ? [proof.type] : []));
}

const page = "text/html,*/*;q=0.8";
const noSize = { size: 0, mimeType: "text/css" };

test.each<[string, Exchange]>([
  ["HTML", { accept: page, type: "text/html; charset=utf-8" }],
  ["HTML", { accept: page, type: "Application/xhtml+xml" }],
  ["JSON", { type: "application/json" }],
  ["JSON", { type: "application/vnd.api+json; charset=utf-8" }],
  ["JSON", { type: "text/json", method: "POST", response: { status: 201 } }],
  ["other", { path: "/app.js", type: "text/javascript" }],
  ["other", { path: "/logo", type: "image/png" }],
  ["other", { type: "text/plain" }],
  // Some recorders leave out sizes.
  ["other", { type: "text/css", response: { content: noSize } }],
  ["JSON", { method: "HEAD", type: "application/json" }],
  // An empty response is not JSON, but may be empty again.
  ["other", { method: "POST", type: "application/json", response: { content: noSize } }],
])("a response has to be %s again: %j", async (expected, exchange) => {
  expect(await typesOf(exchange)).toEqual([expected]);
});

test.each([
  ["/de.json", "application/json"],
  ["/app.webmanifest", "application/manifest+json"],
])("the file %s may have another type than %s elsewhere, but not HTML", async (path, type) => {
  expect(await typesOf({ path, type })).toEqual(["other"]);
});

test.each<[string, Exchange]>([
  ["only a recorder's guess of the type", { response: {} }],
  ["HTML that a script requested", { type: "text/html" }],
  ["an empty page", { accept: page, type: "text/html", response: { content: noSize } }],
  ["a page in place of an icon", { path: "/favicon.ico", accept: page, type: "text/html" }],
  ["no body", { type: "application/json", response: { status: 204 } }],
  ["a 304", { type: "application/json", response: { status: 304 } }],
  ["an error", { type: "application/json", response: { status: 404 } }],
])("a response may have any type if the recording had %s", async (_what, exchange) => {
  expect(await typesOf(exchange)).toEqual([]);
});

test("JSON whose fields are checked needs no check of its type", async () => {
  const content = { size: 11, mimeType: "application/json", text: '{"ok":true}' };
  expect(await typesOf({ method: "POST", type: "application/json", response: { content } })).toEqual([]);
});
