import { expect, test } from "vitest";
import { entryFor, pageEntry, post, reasonsOf, type EntryFields } from "./timed-entries.ts";

const home = pageEntry("https://shop.test/");
const event = JSON.stringify({ n: "pageview", u: "https://shop.test/", d: "shop.test", r: null });
const beacon: EntryFields = { resourceType: "ping" };
const nothing: EntryFields = { response: { status: 204, bodyBytes: 0 } };
const pixel: EntryFields = { response: { mimeType: "image/gif", bodyBytes: 43 } };

test.each<[string, EntryFields?]>([
  ["https://shop.test/g/collect?v=2&tid=G-ABC123&en=page_view"],
  ["https://shop.test/collect?v=1&tid=UA-123-1&t=pageview"],
  ["https://metrics.shop.test/x/j/collect?v=1&tid=UA-1"],
  ["https://shop.test/gtag/js?id=G-ABC"],
  ["https://shop.test/gtm.js?id=GTM-ABC"],
  ["https://shop.test/stats/matomo.php?idsite=1&rec=1"],
  ["https://shop.test/piwik.php"],
  ["https://shop.test/matomo.js"],
  ["https://shop.test/cdn-cgi/rum?"],
  ["https://shop.test/_vercel/insights/view"],
  ["https://shop.test/_vercel/speed-insights/vitals"],
  ["https://shop.test/api/event", { request: post(event) }],
  ["https://shop.test/tr/?id=1234567890123&ev=PageView"],
  ["https://shop.test/b/ss/rsid/1/JS-2.1/s1?AQB=1&ndh=1"],
  ["https://web.shop.test/484344353165262/wt?p=432,start"],
  ["https://shop.test/rb_8c2f?type=js3&flavor=post"],
  ["https://shop.test/api/42/envelope/?sentry_key=abc"],
  ["https://shop.test/com.snowplowanalytics.snowplow/tp2", { request: post("{}") }],
  ["https://shop.test/anything", beacon],
  ["https://shop.test/csp", { resourceType: "csp-violation-report" }],
  ["https://shop.test/csp", { request: post("{}", "application/csp-report") }],
  ["https://shop.test/reports", { request: { headers: [["Content-Type", "application/reports+json"]] } }],
  ["https://metrics.shop.test/x", nothing],
  ["https://stats.shop.test/p.gif", pixel],
  ["https://o42.ingest.us.sentry.io/api/1/store/"],
  ["https://region1.google-analytics.com/g/collect"],
  ["https://securepubads.g.doubleclick.net/gpt.js"],
  ["https://adservice.google.co.uk/x"],
])("omitted as analytics: %s %j", (url, fields = {}) => {
  expect(reasonsOf([home, entryFor(url, fields)])).toEqual([null, "analytics or advertising"]);
});

test.each<[string, EntryFields?]>([
  ["https://shop.test/collect?v=summer"],
  ["https://shop.test/collect"],
  ["https://shop.test/g/collect?from=warehouse"],
  ["https://shop.test/api/collect?tid=42&v=1"],
  ["https://shop.test/api/event", { request: post(JSON.stringify({ name: "Concert", date: "2026-01-01" })) }],
  ["https://shop.test/api/event", { request: post("n=1&u=2&d=3") }],
  ["https://shop.test/api/event", { request: post("null") }],
  ["https://shop.test/api/event?n=1"],
  ["https://shop.test/gtm.js"],
  ["https://shop.test/tr?id=turkish"],
  ["https://shop.test/analytics/report"],
  ["https://shop.test/tracking/parcel/42"],
  ["https://shop.test/ads/42"],
  ["https://shop.test/api/42/store/"],
  ["https://shop.test/matomo.php.html"],
  ["https://analytics.shop.test/dashboard", { response: { mimeType: "text/html" } }],
  ["https://metrics.shop.test/api/orders/1", { ...nothing, request: { method: "DELETE" } }],
  ["https://stats.shop.test/chart.gif", { response: { mimeType: "image/gif", bodyBytes: 9000 } }],
  ["https://stats.shop.test/chart.gif", { response: { mimeType: "image/gif", bodyBytes: null } }],
  ["https://shop.test/save", nothing],
  ["https://shop.test/spacer.gif", pixel],
])("kept, although it resembles analytics: %s %j", (url, fields = {}) => {
  expect(reasonsOf([home, entryFor(url, fields)])).toEqual([null, null]);
});

test("a site at analytics.* can be the tested site", () => {
  const dashboard = pageEntry("https://analytics.shop.test/");
  expect(reasonsOf([dashboard, entryFor("https://analytics.shop.test/save", nothing)])).toEqual([null, null]);
});

test.each([
  "https://plausible.io.shop.test.example/",
  "https://notcriteo.com/",
  "https://www.google.com/",
  "https://sentry.io/",
])("a third party, but not a known advertiser: %s", (url) => {
  expect(reasonsOf([home, entryFor(url)])).toEqual([null, "third party"]);
});
