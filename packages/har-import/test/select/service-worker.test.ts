import { expect, test } from "vitest";
import { askFor, askForPage, post, reasonsOf } from "./timed-entries.ts";

const home = askForPage("https://www.shop.example/");
const url = "https://www.shop.example/api/cart";
const byWorker = { servedBy: "service worker", startedAtMs: 100, durationMs: 50 } as const;

test.each(["POST", "put", "PATCH", "DELETE"])("a %s that a service worker passed on is kept", (method) => {
  const sent = askFor(url, { ...byWorker, request: { ...post("{}"), method } });
  expect(reasonsOf([home, sent])).toEqual([null, null]);
});

test("the request that the worker itself made is kept instead, if it was recorded", () => {
  const taken = askFor(url, { ...byWorker, request: post("{}") });
  const own = askFor(url, { startedAtMs: 110, request: post("{}") });
  expect(reasonsOf([home, taken, own])).toEqual([null, "served by a service worker", null]);
});

test.each([
  ["later", { startedAtMs: 200, request: post("{}") }],
  ["with another body", { startedAtMs: 110, request: post("[]") }],
])("the same request, sent again %s, is another one", (_when, again) => {
  const taken = askFor(url, { ...byWorker, request: post("{}") });
  expect(reasonsOf([home, taken, askFor(url, again)])).toEqual([null, null, null]);
});
