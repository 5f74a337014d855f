import fc from "fast-check";
import { expect, test } from "vitest";
import { anyUrl } from "../../../../tools/vitest/any-url.ts";
import type { EntryResponse } from "../../src/capture.ts";
import type { OmissionReason } from "../../src/index.ts";
import { entryFor, pageEntry, keptOf, patterns, post, reasonsOf, select } from "./timed-entries.ts";

const home = pageEntry("https://www.shop.example/");

test.each<[OmissionReason, Parameters<typeof entryFor>]>([
  ["not HTTP", ["data:image/png;base64,aGVsbG8="]],
  ["not HTTP", ["blob:https://www.shop.example/0b5f"]],
  ["not HTTP", ["chrome-extension://abcdef/script.js"]],
  ["invalid URL", ["/relative"]],
  ["invalid URL", ["https://no host/"]],
  ["no response recorded", ["https://www.shop.example/blocked", { response: { status: 0 } }]],
  ["no response recorded", ["https://www.shop.example/hints", { response: { status: 103 } }]],
  ["aborted by the browser", ["https://www.shop.example/left", { response: { isAborted: true } }]],
  ["WebSocket", ["https://www.shop.example/live", { response: { status: 101 } }]],
  ["WebSocket", ["wss://www.shop.example/live"]],
  ["WebSocket", ["https://www.shop.example/live", { isWebSocket: true }]],
  ["served from the browser cache", ["https://www.shop.example/a.png", { servedBy: "cache" }]],
  ["served by a service worker", ["https://www.shop.example/a.js", { servedBy: "service worker" }]],
  ["proxy tunnel", ["www.shop.example:443", { request: { method: "CONNECT" } }]],
  ["invalid method", ["https://www.shop.example/", { request: { method: "GET /" } }]],
  ["event stream", ["https://www.shop.example/events", { resourceType: "eventsource" }]],
  [
    "event stream",
    ["https://www.shop.example/e", { response: { mimeType: "Text/Event-Stream;charset=utf-8" } }],
  ],
  ["CORS preflight", ["https://www.shop.example/api", { resourceType: "preflight" }]],
  [
    "CORS preflight",
    [
      "https://www.shop.example/api",
      { request: { method: "OPTIONS", headers: [["Access-Control-Request-Method", "PUT"]] } },
    ],
  ],
  ["third party", ["https://cdn.example/lib.js"]],
  ["analytics or advertising", ["https://www.google-analytics.com/analytics.js"]],
])("an entry is omitted: %s (%#)", (reason, entryArguments) => {
  const { kept, omissions } = select([home, entryFor(...entryArguments)]);
  expect(omissions.map((omission) => [omission.entryIndex, omission.reason])).toEqual([[1, reason]]);
  expect(kept).toHaveLength(1);
});

test("a request without a recorded response is kept, and so is an OPTIONS request from a script", () => {
  const options = entryFor("https://www.shop.example/api", { request: { method: "OPTIONS" } });
  expect(reasonsOf([home, entryFor("https://www.shop.example/a", { response: null }), options])).toEqual([
    null,
    null,
    null,
  ]);
});

test("the first party is the first document's registrable domain, with any scheme, port and subdomain", () => {
  const { kept, omissions, origin } = select([
    pageEntry("https://www.shop.co.uk/"),
    entryFor("http://shop.co.uk/a"),
    entryFor("https://img.shop.co.uk:8443/b"),
    entryFor("https://evil-shop.co.uk/"),
    entryFor("https://other.co.uk/"),
  ]);
  expect(origin).toBe("https://www.shop.co.uk");
  expect(kept.map(({ url }) => url.origin)).toEqual([
    "https://www.shop.co.uk",
    "http://shop.co.uk",
    "https://img.shop.co.uk:8443",
  ]);
  expect(omissions.map(({ host }) => host)).toEqual(["evil-shop.co.uk", "other.co.uk"]);
});

test("two customers of one hosting company are different parties, and so are two IP addresses", () => {
  expect(keptOf([pageEntry("https://me.github.io/"), entryFor("https://you.github.io/")])).toEqual([
    "https://me.github.io/",
  ]);
  const local = ["http://127.0.0.1:8080/", "http://127.0.0.2:8080/", "http://127.0.0.1:9090/"];
  expect(keptOf(local.map((url) => pageEntry(url)))).toEqual([local[0], local[2]]);
});

const redirect = { response: { status: 302 } };

test("a link shortener that leads to the first document is not the first party", () => {
  const { origin, omissions } = select([
    pageEntry("https://short.example/x", redirect),
    pageEntry("https://www.shop.test/"),
  ]);
  expect(origin).toBe("https://www.shop.test");
  expect(omissions.map(({ host }) => host)).toEqual(["short.example"]);
});

test("a login page at another host is not the first party if the site is visited afterwards", () => {
  const { origin, kept } = select([
    pageEntry("https://shop.test/", redirect),
    pageEntry("https://login.test/authorize"),
    pageEntry("https://login.test/session", redirect),
    pageEntry("https://shop.test/home"),
    pageEntry("https://shop.test/orders"),
  ]);
  expect(origin).toBe("https://shop.test");
  expect(kept.map(({ url }) => url.pathname)).toEqual(["/", "/home", "/orders"]);
});

test("a redirect from a kept host to a third party is kept", () => {
  const out = pageEntry("https://www.shop.example/sso", redirect);
  expect(reasonsOf([home, out, pageEntry("https://sso.test/", redirect)])).toEqual([
    null,
    null,
    "third party",
  ]);
});

test("requests before the first document and frames do not decide the first party", () => {
  const frame = pageEntry("https://ads.test/frame", {
    request: { headers: [["Sec-Fetch-Dest", "iframe"]] },
  });
  const icon = entryFor("https://tracker.test/pixel");
  expect(select([icon, frame, pageEntry("https://shop.test/")]).origin).toBe("https://shop.test");
});

test("a document from the cache or a service worker decides the first party if another request of its site is kept", () => {
  const cached = pageEntry("https://shop.test/", { servedBy: "service worker" });
  const call = entryFor("https://api.shop.test/cart");
  const other = pageEntry("https://partner.test/frame");
  expect(select([cached, other, call])).toMatchObject({
    origin: "https://shop.test",
    kept: [{ url: new URL("https://api.shop.test/cart") }],
  });
  expect(select([cached, other]).origin).toBe("https://partner.test");
});

test("without a document, the first response decides the first party", () => {
  expect(
    keptOf([entryFor("https://api.test/a", { request: post("{}") }), entryFor("https://other.test/")]),
  ).toEqual(["https://api.test/a"]);
});

test("an advertiser's own site can be the tested site", () => {
  const page = pageEntry("https://www.criteo.com/");
  expect(
    reasonsOf([page, entryFor("https://static.criteo.com/a.js"), entryFor("https://x.doubleclick.net/")]),
  ).toEqual([null, null, "analytics or advertising"]);
});

test("every entry is either kept or omitted with a reason, and omissions are in file order", () => {
  const url = fc.oneof(
    fc.string(),
    anyUrl({ withQueryParameters: true }),
    fc.constantFrom("https://shop.test/", "data:,x", "wss://shop.test/", "https://a.shop.test/g/collect"),
  );
  const entry = fc.record({ url, type: fc.constantFrom("", "document", "ping", "image"), text: fc.string() });
  fc.assert(
    fc.property(fc.array(entry), (drawn) => {
      const entries = drawn.map(({ url, type, text }) =>
        entryFor(url, { resourceType: type, request: post(text) }),
      );
      const { kept, omissions, origin } = select(entries);
      const indexes = [
        ...kept.map((visit) => visit.entry.index),
        ...omissions.map(({ entryIndex }) => entryIndex),
      ];
      expect(indexes.toSorted((a, b) => a - b)).toEqual(entries.map((_, index) => index));
      expect(omissions).toEqual(omissions.toSorted((a, b) => a.entryIndex - b.entryIndex));
      expect(origin === null).toBe(kept.length === 0);
    }),
  );
});

test("nothing is kept from a capture without HTTP requests", () => {
  expect(select([entryFor("data:,x"), entryFor("wss://a.test/")])).toMatchObject({ kept: [], origin: null });
  expect(select([])).toEqual({ kept: [], omissions: [], origin: null, notes: [] });
});

const headers = [["Content-Type", "text/plain"]] as const;
const length = (bytes: number) => [...headers, ["Content-Length", String(bytes)]] as const;

test.each<[what: string, method: string, response: Partial<EntryResponse>, isKept: boolean]>([
  ["the request got a success status", "PUT", { status: 200, headers, bodyBytes: null }, true],
  ["the request got an error status", "post", { status: 409, headers, bodyBytes: null }, true],
  ["there was no response", "POST", { status: 0, headers, bodyBytes: null }, false],
  [
    "no header or body of the response was recorded",
    "POST",
    { status: 200, headers: [], bodyBytes: null },
    false,
  ],
  ["the response has no body", "GET", { status: 204, headers, bodyBytes: null }, true],
  [
    "the response has a Content-Length of 0",
    "GET",
    { status: 200, headers: length(0), bodyBytes: null },
    true,
  ],
  ["the whole response arrived", "GET", { status: 200, headers: length(11), bodyBytes: 11 }, true],
  ["only a part of the response arrived", "GET", { status: 200, headers: length(11), bodyBytes: 7 }, false],
  ["the length of the response is unknown", "GET", { status: 200, headers, bodyBytes: 7 }, false],
  ["only headers were requested", "HEAD", { status: 200, headers: length(11), bodyBytes: 0 }, true],
])(
  "an aborted request is kept or omitted by what its response shows: %s: %s %j",
  (_what, method, response, isKept) => {
    const aborted = entryFor("https://www.shop.example/api", {
      request: { method },
      response: { ...response, isAborted: true },
    });
    expect(reasonsOf([home, aborted])).toEqual([null, isKept ? null : "aborted by the browser"]);
  },
);

test("analytics are kept if nothing else would be", () => {
  const event = "https://www.google-analytics.com/g/collect?v=2&tid=G-1";
  const other = entryFor("https://x.doubleclick.net/");
  expect(reasonsOf([entryFor(event, { request: post("en=page_view") }), other])).toEqual([
    null,
    "analytics or advertising",
  ]);
  const script = entryFor("https://www.shop.example/matomo.js");
  expect(reasonsOf([entryFor(event), script])).toEqual([null, "third party"]);
});

test("analytics are not kept only because the user skips everything else", () => {
  const event = entryFor("https://www.shop.example/g/collect?v=2&tid=G-1");
  expect(reasonsOf([home, event], { skip: patterns("type:document") })).toEqual([
    "skipped (--skip)",
    "analytics or advertising",
  ]);
  expect(reasonsOf([event], { skip: patterns("*") })).toEqual(["skipped (--skip)"]);
});
