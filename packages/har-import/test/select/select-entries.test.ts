import fc from "fast-check";
import { expect, test } from "vitest";
import { anyUrl } from "../../../../tools/vitest/any-url.ts";
import type { EntryResponse } from "../../src/capture.ts";
import type { OmissionReason } from "../../src/index.ts";
import { askFor, askForPage, keptOf, patterns, post, reasonsOf, select } from "./timed-entries.ts";

const home = askForPage("https://www.shop.example/");

test.each<[OmissionReason, Parameters<typeof askFor>]>([
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
])("left out: %s (%#)", (reason, asked) => {
  const { kept, omissions } = select([home, askFor(...asked)]);
  expect(omissions.map((omission) => [omission.entryIndex, omission.reason])).toEqual([[1, reason]]);
  expect(kept).toHaveLength(1);
});

test("a request without a recorded answer is kept, and OPTIONS that a script sends itself", () => {
  const options = askFor("https://www.shop.example/api", { request: { method: "OPTIONS" } });
  expect(reasonsOf([home, askFor("https://www.shop.example/a", { response: null }), options])).toEqual([
    null,
    null,
    null,
  ]);
});

test("first party is the first document's registrable domain, with any scheme, port and subdomain", () => {
  const { kept, omissions, origin } = select([
    askForPage("https://www.shop.co.uk/"),
    askFor("http://shop.co.uk/a"),
    askFor("https://img.shop.co.uk:8443/b"),
    askFor("https://evil-shop.co.uk/"),
    askFor("https://other.co.uk/"),
  ]);
  expect(origin).toBe("https://www.shop.co.uk");
  expect(kept.map(({ url }) => url.origin)).toEqual([
    "https://www.shop.co.uk",
    "http://shop.co.uk",
    "https://img.shop.co.uk:8443",
  ]);
  expect(omissions.map(({ host }) => host)).toEqual(["evil-shop.co.uk", "other.co.uk"]);
});

test("two customers of one hosting company are two parties, and so are two addresses", () => {
  expect(keptOf([askForPage("https://me.github.io/"), askFor("https://you.github.io/")])).toEqual([
    "https://me.github.io/",
  ]);
  const local = ["http://127.0.0.1:8080/", "http://127.0.0.2:8080/", "http://127.0.0.1:9090/"];
  expect(keptOf(local.map((url) => askForPage(url)))).toEqual([local[0], local[2]]);
});

const redirect = { response: { status: 302 } };

test("a link shortener that leads to the first document is not the first party", () => {
  const { origin, omissions } = select([
    askForPage("https://short.example/x", redirect),
    askForPage("https://www.shop.test/"),
  ]);
  expect(origin).toBe("https://www.shop.test");
  expect(omissions.map(({ host }) => host)).toEqual(["short.example"]);
});

test("a login page that somebody else serves is not the first party where the site is what is visited then", () => {
  const { origin, kept } = select([
    askForPage("https://shop.test/", redirect),
    askForPage("https://login.test/authorize"),
    askForPage("https://login.test/session", redirect),
    askForPage("https://shop.test/home"),
    askForPage("https://shop.test/orders"),
  ]);
  expect(origin).toBe("https://shop.test");
  expect(kept.map(({ url }) => url.pathname)).toEqual(["/", "/home", "/orders"]);
});

test("a redirect of a kept host stays although it leads to somebody else", () => {
  const out = askForPage("https://www.shop.example/sso", redirect);
  expect(reasonsOf([home, out, askForPage("https://sso.test/", redirect)])).toEqual([
    null,
    null,
    "third party",
  ]);
});

test("what was fetched before the first document does not decide the first party, nor does a frame", () => {
  const frame = askForPage("https://ads.test/frame", {
    request: { headers: [["Sec-Fetch-Dest", "iframe"]] },
  });
  const icon = askFor("https://tracker.test/pixel");
  expect(select([icon, frame, askForPage("https://shop.test/")]).origin).toBe("https://shop.test");
});

test("a document that the cache or a service worker answered says whose site it is, where something of it is left", () => {
  const cached = askForPage("https://shop.test/", { servedBy: "service worker" });
  const call = askFor("https://api.shop.test/cart");
  const other = askForPage("https://partner.test/frame");
  expect(select([cached, other, call])).toMatchObject({
    origin: "https://shop.test",
    kept: [{ url: new URL("https://api.shop.test/cart") }],
  });
  expect(select([cached, other]).origin).toBe("https://partner.test");
});

test("without a document, the first answer decides", () => {
  expect(
    keptOf([askFor("https://api.test/a", { request: post("{}") }), askFor("https://other.test/")]),
  ).toEqual(["https://api.test/a"]);
});

test("an advertiser's own site can be what is tested", () => {
  const page = askForPage("https://www.criteo.com/");
  expect(
    reasonsOf([page, askFor("https://static.criteo.com/a.js"), askFor("https://x.doubleclick.net/")]),
  ).toEqual([null, null, "analytics or advertising"]);
});

test("every entry is kept or left out for a reason, whatever it is, and omissions keep the file's order", () => {
  const url = fc.oneof(
    fc.string(),
    anyUrl({ withQueryParameters: true }),
    fc.constantFrom("https://shop.test/", "data:,x", "wss://shop.test/", "https://a.shop.test/g/collect"),
  );
  const entry = fc.record({ url, type: fc.constantFrom("", "document", "ping", "image"), text: fc.string() });
  fc.assert(
    fc.property(fc.array(entry), (drawn) => {
      const entries = drawn.map(({ url, type, text }) =>
        askFor(url, { resourceType: type, request: post(text) }),
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

test("nothing is kept of a capture without requests", () => {
  expect(select([askFor("data:,x"), askFor("wss://a.test/")])).toMatchObject({ kept: [], origin: null });
  expect(select([])).toEqual({ kept: [], omissions: [], origin: null, notes: [] });
});

const headers = [["Content-Type", "text/plain"]] as const;
const length = (bytes: number) => [...headers, ["Content-Length", String(bytes)]] as const;

test.each<[what: string, method: string, response: Partial<EntryResponse>, isKept: boolean]>([
  ["what was sent was answered", "PUT", { status: 200, headers, bodyBytes: null }, true],
  ["what was sent was refused", "post", { status: 409, headers, bodyBytes: null }, true],
  ["there was no answer", "POST", { status: 0, headers, bodyBytes: null }, false],
  ["nothing of the answer was recorded", "POST", { status: 200, headers: [], bodyBytes: null }, false],
  ["the answer has no body", "GET", { status: 204, headers, bodyBytes: null }, true],
  ["the answer says that it is empty", "GET", { status: 200, headers: length(0), bodyBytes: null }, true],
  ["all of the answer came", "GET", { status: 200, headers: length(11), bodyBytes: 11 }, true],
  ["a part of the answer came", "GET", { status: 200, headers: length(11), bodyBytes: 7 }, false],
  ["nobody knows how much came", "GET", { status: 200, headers, bodyBytes: 7 }, false],
  ["only its headers were asked for", "HEAD", { status: 200, headers: length(11), bodyBytes: 0 }, true],
])("aborted, as nobody read it, where %s: %s %j", (_what, method, response, isKept) => {
  const aborted = askFor("https://www.shop.example/api", {
    request: { method },
    response: { ...response, isAborted: true },
  });
  expect(reasonsOf([home, aborted])).toEqual([null, isKept ? null : "aborted by the browser"]);
});

test("where nothing but the site's own analytics would be left, that is what is tested", () => {
  const event = "https://www.google-analytics.com/g/collect?v=2&tid=G-1";
  const other = askFor("https://x.doubleclick.net/");
  expect(reasonsOf([askFor(event, { request: post("en=page_view") }), other])).toEqual([
    null,
    "analytics or advertising",
  ]);
  const script = askFor("https://www.shop.example/matomo.js");
  expect(reasonsOf([askFor(event), script])).toEqual([null, "third party"]);
});

test("analytics are not what is tested because a person leaves out all else", () => {
  const event = askFor("https://www.shop.example/g/collect?v=2&tid=G-1");
  expect(reasonsOf([home, event], { skip: patterns("type:document") })).toEqual([
    "skipped (--skip)",
    "analytics or advertising",
  ]);
  expect(reasonsOf([event], { skip: patterns("*") })).toEqual(["skipped (--skip)"]);
});
