import { expect, test } from "vitest";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { type VisitStep } from "../../src/visit.ts";
import { inRecordedOrder } from "../../src/select/select-entries.ts";
import { documentOf, entryOf, harOf, pageOf, read } from "../har-file.ts";
import { stepsOf, wavesOf } from "./recorded-visits.ts";

async function stepsOfFile(
  entries: readonly unknown[],
  pages?: readonly unknown[],
): Promise<readonly VisitStep[]> {
  const capture = await read(harOf(entries, pages));
  const visits = inRecordedOrder(capture.entries).map((timed) => ({
    ...timed,
    url: new URL(timed.entry.request.url),
    hops: [],
  }));
  return planSteps(capture.pages, collapseRedirects(visits));
}

function at(ms: number): string {
  return new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
}

/** Returns the fields of an entry that started at `ms` and waited `took` milliseconds for its response. */
function timed(ms: number, took: number, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    startedDateTime: at(ms),
    time: took,
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: took, receive: 0 },
    ...rest,
  };
}

function headersOf(headers: Record<string, string>): { headers: { name: string; value: string }[] } {
  return { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
}

test("a capture by Chrome has pages, resource types, initiators and the load event", async () => {
  const inPage = (id: string, type: string, initiator: Record<string, unknown> = { type: "other" }) => ({
    pageref: id,
    _resourceType: type,
    _initiator: initiator,
  });
  const shop = "https://shop.example/";
  const steps = await stepsOfFile(
    [
      documentOf(shop, timed(0, 100, inPage("page_1", "document"))),
      entryOf(
        `${shop}app.css`,
        timed(110, 40, inPage("page_1", "stylesheet", { type: "parser", url: shop })),
      ),
      entryOf(`${shop}app.js`, timed(111, 90, inPage("page_1", "script", { type: "parser", url: shop }))),
      entryOf(
        `${shop}font.woff2`,
        timed(155, 60, inPage("page_1", "font", { type: "parser", url: `${shop}app.css` })),
      ),
      entryOf(
        `${shop}api/stock`,
        timed(
          205,
          80,
          inPage("page_1", "fetch", { type: "script", stack: { callFrames: [{ url: `${shop}app.js` }] } }),
        ),
      ),
      entryOf(
        `${shop}api/cart`,
        timed(4_000, 30, { ...inPage("page_1", "xhr"), request: { method: "POST" } }),
      ),
      documentOf(`${shop}cart`, timed(6_000, 50, inPage("page_2", "document"))),
    ],
    [
      pageOf("page_1", {
        title: shop,
        startedDateTime: at(0),
        pageTimings: { onContentLoad: 200, onLoad: 250 },
      }),
      pageOf("page_2", { title: `${shop}cart`, startedDateTime: at(6_000), pageTimings: { onLoad: 60 } }),
    ],
  );
  expect(steps.map(({ kind, name, thinkAfterMs }) => [kind, name, thinkAfterMs])).toEqual([
    ["page", "home", 3_715],
    ["group", "POST /api/cart", 1_970],
    ["page", "cart", 0],
  ]);
  expect(wavesOf(steps[0])).toEqual([["/"], ["/app.css", "/app.js"], ["/font.woff2", "/api/stock"]]);
});

test("a capture by Playwright has one page for a whole tab", async () => {
  const goTo = { request: headersOf({ "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }) };
  const call = { request: headersOf({ "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }) };
  const shop = "http://127.0.0.1:3000/";
  const inTab = { pageref: "page@1" };
  const steps = await stepsOfFile(
    [
      documentOf(shop, timed(0, 5, { ...inTab, ...goTo })),
      entryOf(`${shop}api/greeting`, timed(10, 5, { ...inTab, ...call })),
      entryOf(
        `${shop}login`,
        timed(300, 5, {
          ...inTab,
          request: { method: "POST", ...goTo.request },
          response: { status: 303, redirectURL: "/account" },
        }),
      ),
      documentOf(`${shop}account`, timed(306, 5, { ...inTab, ...goTo })),
    ],
    [pageOf("page@1", { title: "Your account", startedDateTime: at(-50) })],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/api/greeting"],
    ["page", "Your account", "/login"],
  ]);
});

test("a capture by Fiddler or Charles has no pages or types, but browser headers", async () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const steps = await stepsOfFile([
    documentOf("http://shop.example/", timed(0, 100, { request: headersOf({ Accept: browser }) })),
    documentOf("http://shop.example/banner", timed(130, 50, { request: headersOf({ Accept: browser }) })),
    entryOf("http://shop.example/a.png", timed(120, 100, { request: headersOf({ Accept: "image/*" }) })),
    documentOf(
      "http://shop.example/part",
      timed(1_000, 10, { request: headersOf({ Accept: "*/*", "X-Requested-With": "XMLHttpRequest" }) }),
    ),
    documentOf("http://shop.example/next", timed(2_000, 100, { request: headersOf({ Accept: browser }) })),
  ]);
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/a.png", "/banner"],
    ["group", "GET /part", "/part"],
    ["page", "next", "/next"],
  ]);
});

test("a capture by Insomnia has only calls, one after the other", async () => {
  const json = { response: { content: { size: 2, mimeType: "application/json", text: "{}" } } };
  const steps = await stepsOfFile([
    entryOf("https://api.example/token", timed(0, 80, { ...json, request: { method: "POST" } })),
    entryOf("https://api.example/items", timed(100, 50, json)),
    entryOf("https://api.example/items/1", timed(9_000, 50, json)),
  ]);
  expect(stepsOf(steps)).toEqual([
    ["group", "POST /token", "/token", "/items"],
    ["group", "GET /items/id", "/items/1"],
  ]);
  expect(wavesOf(steps[0])).toEqual([["/token"], ["/items"]]);
});
