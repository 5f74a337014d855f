import { expect, test } from "vitest";
import type { OmissionReason } from "../../src/index.ts";
import { documentOf, entryOf, importEntries } from "../har-file.ts";

const home = documentOf("https://www.shop.example/");
const later = { startedDateTime: "2026-01-01T00:00:01.000Z" };

test.each<[OmissionReason, Record<string, unknown>]>([
  ["not HTTP", entryOf("data:image/png;base64,aGVsbG8=", later)],
  ["not HTTP", entryOf("blob:https://www.shop.example/0b5f", later)],
  ["not HTTP", entryOf("chrome-extension://abcdef/script.js", later)],
  ["URL cannot be read", entryOf("/relative", later)],
  ["URL cannot be read", entryOf("https://no host/", later)],
  ["no answer recorded", entryOf("https://www.shop.example/blocked", { ...later, response: { status: 0 } })],
  [
    "no answer recorded",
    entryOf("https://www.shop.example/failed", { ...later, response: { status: null } }),
  ],
  ["no answer recorded", entryOf("https://www.shop.example/hints", { ...later, response: { status: 103 } })],
  [
    "aborted by the browser",
    entryOf("https://www.shop.example/left", { ...later, response: { _error: "net::ERR_ABORTED" } }),
  ],
  ["WebSocket", entryOf("https://www.shop.example/live", { ...later, response: { status: 101 } })],
  ["WebSocket", entryOf("wss://www.shop.example/live", later)],
  ["WebSocket", entryOf("https://www.shop.example/live", { ...later, _resourceType: "websocket" })],
  [
    "answered by the browser's cache",
    entryOf("https://www.shop.example/logo.png", { ...later, _fromCache: "disk" }),
  ],
  [
    "answered by a service worker",
    entryOf("https://www.shop.example/app.js", { ...later, _fetchedViaServiceWorker: true }),
  ],
  ["proxy tunnel", entryOf("www.shop.example:443", { ...later, request: { method: "CONNECT" } })],
  ["method cannot be sent", entryOf("https://www.shop.example/", { ...later, request: { method: "GET /" } })],
  ["third party", entryOf("https://cdn.example/lib.js", later)],
])("left out: %s (%#)", async (reason, entry) => {
  const model = await importEntries([home, entry]);
  expect(model.omissions.map((omission) => [omission.entryIndex, omission.reason])).toEqual([[1, reason]]);
  expect(model.pages.flatMap(({ requests }) => requests)).toHaveLength(1);
});

test("a request without a recorded answer is kept", async () => {
  const model = await importEntries([{ request: { method: "GET", url: "https://shop.example/" } }]);
  expect(model.pages[0]?.requests[0]?.recordedStatus).toBeNull();
});

test("first party is the first document's registrable domain, with any scheme, port and subdomain", async () => {
  const model = await importEntries([
    documentOf("https://www.shop.co.uk/"),
    entryOf("http://shop.co.uk/a"),
    entryOf("https://img.shop.co.uk:8443/b"),
    entryOf("https://evil-shop.co.uk/"),
    entryOf("https://other.co.uk/"),
  ]);
  expect(model.origin).toBe("https://www.shop.co.uk");
  expect(model.hosts).toEqual(["https://www.shop.co.uk", "http://shop.co.uk", "https://img.shop.co.uk:8443"]);
  expect(model.omissions.map(({ host }) => host)).toEqual(["evil-shop.co.uk", "other.co.uk"]);
});

test("two customers of one hosting company are two parties, and so are two addresses", async () => {
  const hosted = await importEntries([
    documentOf("https://me.github.io/"),
    entryOf("https://you.github.io/"),
  ]);
  expect(hosted.hosts).toEqual(["https://me.github.io"]);
  const local = await importEntries([
    documentOf("http://127.0.0.1:8080/"),
    entryOf("http://127.0.0.2:8080/"),
    entryOf("http://127.0.0.1:9090/"),
  ]);
  expect(local.hosts).toEqual(["http://127.0.0.1:8080", "http://127.0.0.1:9090"]);
});

test("a link shortener that redirects to the first document is not the first party", async () => {
  const redirect = entryOf("https://short.example/x", {
    response: { status: 301, redirectURL: "https://www.shop.test/", content: { mimeType: "text/html" } },
  });
  const model = await importEntries([redirect, documentOf("https://www.shop.test/", later)]);
  expect(model.origin).toBe("https://www.shop.test");
  expect(model.omissions.map(({ host }) => host)).toEqual(["short.example"]);
});

test("what was fetched before the first document does not decide the first party", async () => {
  const beacon = entryOf("https://tracker.test/collect", { _resourceType: "ping" });
  const frame = documentOf("https://ads.test/frame", {
    ...later,
    request: { headers: [{ name: "Sec-Fetch-Dest", value: "iframe" }] },
  });
  const model = await importEntries([beacon, frame, documentOf("https://shop.test/", later)]);
  expect(model.origin).toBe("https://shop.test");
});

test("every entry is kept or left out for a reason, and omissions keep the file's order", async () => {
  const entries = [
    entryOf("https://cdn.test/late.js", later),
    entryOf("data:,x", later),
    documentOf("https://shop.test/"),
    entryOf("https://cdn.test/early.js"),
  ];
  const { omissions } = await importEntries(entries);
  expect(omissions.map(({ entryIndex }) => entryIndex)).toEqual([0, 1, 3]);
});

test("a capture with nothing to replay is an error that says why", async () => {
  await expect(importEntries([entryOf("data:,x"), entryOf("wss://a.test/")])).rejects.toThrow(
    "Nothing in the capture can be replayed: not HTTP, WebSocket.",
  );
  await expect(importEntries([null])).rejects.toThrow(
    "Nothing in the capture can be replayed: no entry could be read.",
  );
});
