import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries } from "../har-file.ts";
import { entryFor, pageEntry, post, reasonsOf } from "./timed-entries.ts";

const home = pageEntry("https://www.shop.example/");
const url = "https://www.shop.example/api/cart";
const byWorker = { servedBy: "service worker", startedAtMs: 100, durationMs: 50 } as const;

test.each(["POST", "put", "PATCH", "DELETE"])(
  "a %s that a service worker forwarded is kept",
  async (method) => {
    const postData = { mimeType: "application/json", text: "{}" };
    const sent = entryOf(url, { _fetchedViaServiceWorker: true, request: { method, postData } });
    const { omissions } = await importEntries([documentOf("https://www.shop.example/"), sent]);
    expect(omissions).toEqual([]);
  },
);

test("the service worker's own request is kept instead, if it was recorded", () => {
  const intercepted = entryFor(url, { ...byWorker, request: post("{}") });
  const own = entryFor(url, { startedAtMs: 110, request: post("{}") });
  expect(reasonsOf([home, intercepted, own])).toEqual([null, "served by a service worker", null]);
});

test.each([
  ["later", { startedAtMs: 200, request: post("{}") }],
  ["with another body", { startedAtMs: 110, request: post("[]") }],
])("the same request, sent again %s, is a separate request", (_when, again) => {
  const intercepted = entryFor(url, { ...byWorker, request: post("{}") });
  expect(reasonsOf([home, intercepted, entryFor(url, again)])).toEqual([null, null, null]);
});
