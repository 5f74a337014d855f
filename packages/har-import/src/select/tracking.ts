import { tryJson } from "@bearhug/text/try-json";

import { contentType } from "../response-type.ts";
import type { CaptureEntry } from "../capture.ts";
import { requestHeader, resourceTypeOf } from "./resource-type.ts";

/** Domains, with all below them, that serve analytics and advertising and nothing else. */
const domains = new Set(
  `2mdn.net 2o7.net 3lift.com ad-score.com adform.net adition.com adnxs.com adroll.com ads-twitter.com adsafeprotected.com
  adservice.google.com adsrvr.org advertising.com agkn.com alb.reddit.com amazon-adsystem.com amplitude.com
  analytics.google.com analytics.tiktok.com analytics.twitter.com analytics.yahoo.com appdynamics.com
  app-measurement.com bat.bing.com bidswitch.net bluekai.com bounceexchange.com browser-intake-datadoghq.com
  browser-intake-datadoghq.eu c.bing.com casalemedia.com chartbeat.com chartbeat.net clarity.ms clicktale.net
  cloudflareinsights.com commander1.com connect.facebook.net crazyegg.com criteo.com criteo.net crwdcntrl.net
  ct.pinterest.com demdex.net doubleclick.net doubleverify.com etracker.com etracker.de everesttech.net exelator.com
  eum-appdynamics.com eyeota.net fullstory.com getclicky.com go-mpulse.net google-analytics.com googleadservices.com
  googlesyndication.com googletagmanager.com googletagservices.com heap-api.com heapanalytics.com hotjar.com hotjar.io
  hs-analytics.net imrworldwide.com infonline.de ioam.de js-agent.newrelic.com krxd.net linksynergy.com liadm.com
  lijit.com logrocket.io logs.datadoghq.com lr-ingest.io lux.speedcurve.com mathtag.com matomo.cloud mc.yandex.com
  mc.yandex.ru media.net mixpanel.com moatads.com mouseflow.com mxpnl.com nr-data.net omtrdc.net openx.net
  optimizely.com outbrain.com parsely.com permutive.com pippio.com plausible.io posthog.com pubmatic.com
  px.ads.linkedin.com quantcount.com quantserve.com rlcdn.com rubiconproject.com sc-static.net scorecardresearch.com
  segment.com segment.io semasio.net sharethrough.com simpleanalyticscdn.com smartadserver.com smartlook.com
  snap.licdn.com snowplowanalytics.com static.ads-twitter.com taboola.com tapad.com teads.tv theadex.com tiqcdn.com
  tr.snapchat.com umami.is usefathom.com webtrekk.net webtrends.com webtrendslive.com wt-eu02.net xplosion.de
  yieldlab.net zemanta.com`.split(/\s+/),
);

/** Hosts inside a bigger site that their name gives away: `o42.ingest.us.sentry.io`. */
const shapes = [/(^|\.)ingest(\.[a-z]{2})?\.sentry\.io$/, /^adservice\.google\.[a-z.]{2,6}$/];

/** Returns true for hosts of analytics and advertising, which no load test should reach. */
export function isTrackingHost({ hostname }: URL): boolean {
  const labels = hostname.split(".");
  return (
    labels.some((_, index) => domains.has(labels.slice(index).join("."))) ||
    shapes.some((shape) => shape.test(hostname))
  );
}

/** A path that only analytics products use; with these parameters, if the path alone is not conclusive. */
interface Telltale {
  readonly path: RegExp;
  readonly parameters?: Readonly<Record<string, RegExp>>;
}

/** Requests of such products to a site's own hosts: their scripts and their reports. */
const telltales: readonly Telltale[] = [
  { path: /\/(matomo|piwik)\.(php|js)$/ },
  { path: /^\/cdn-cgi\/(rum|zaraz\/)/ },
  { path: /^\/_vercel\/(insights|speed-insights)\// },
  { path: /\/com\.snowplowanalytics\.\w+\/tp2$/ },
  // Google Analytics and its tag manager, also through a site's own server.
  { path: /\/([gjr]\/)?collect$/, parameters: { v: /^[12]$/, tid: /^[A-Z]{1,3}-/ } },
  { path: /\/(gtag\/js|gtm\.js|gtag\.js)$/, parameters: { id: /^(G|GT|GTM|AW|DC|UA)-/ } },
  { path: /^\/tr\/?$/, parameters: { id: /^\d{10,}$/, ev: /./ } }, // Meta
  { path: /^\/b\/ss\//, parameters: { AQB: /^1$/ } }, // Adobe
  { path: /^\/\d{15}\/wt$/, parameters: { p: /^\d/ } }, // Webtrekk
  { path: /\/rb_[\w-]+$/, parameters: { type: /^js/, flavor: /./ } }, // Dynatrace
  { path: /\/api\/\d+\/(envelope|store)\/$/, parameters: { sentry_key: /./ } },
];

const reportTypes = new Set(["application/csp-report", "application/reports+json"]);
/**
 * A subdomain with such a name counts visitors if it is sent a beacon; otherwise it may be a product of its
 * own.
 */
const measuringHost = /^(analytics|metrics|smetrics|stats|matomo|piwik|telemetry)\./;
/** An image of one pixel. */
const maxPixelBytes = 120;
const maxEventCharacters = 10_000;

/** Returns true for a request that only reports on the visitor: the page works without its response. */
export function isTrackingRequest(entry: CaptureEntry, url: URL, document: URL): boolean {
  return (
    isReport(entry) ||
    telltales.some((telltale) => matches(telltale, url)) ||
    isPlausibleEvent(entry, url) ||
    (url.hostname !== document.hostname && measuringHost.test(url.hostname) && isBeacon(entry, url))
  );
}

function matches({ path, parameters = {} }: Telltale, url: URL): boolean {
  if (!path.test(url.pathname)) return false;
  return Object.entries(parameters).every(([name, shape]) => shape.test(url.searchParams.get(name) ?? ""));
}

/** Returns true for reports that a browser sends itself or with `navigator.sendBeacon`: no script reads the response. */
function isReport(entry: CaptureEntry): boolean {
  if (entry.resourceType === "ping" || entry.resourceType === "csp-violation-report") return true;
  if (requestHeader(entry, "sec-fetch-dest") === "report") return true;
  const sent = requestHeader(entry, "content-type") ?? entry.request.postData?.mimeType ?? "";
  return reportTypes.has(sent.split(";", 1).join("").trim().toLowerCase());
}

/**
 * Returns true for an event of Plausible. Any API may have its path, so the body must have a name, an address
 * and a domain.
 */
function isPlausibleEvent({ request }: CaptureEntry, url: URL): boolean {
  const text = request.postData?.text ?? "";
  if (request.method !== "POST" || !url.pathname.endsWith("/api/event") || text.length > maxEventCharacters)
    return false;
  const event = parseObject(text);
  return [
    ["n", "u", "d"],
    ["name", "url", "domain"],
  ].some((keys) => keys.every((key) => typeof event.get(key) === "string"));
}

function parseObject(text: string): ReadonlyMap<string, unknown> {
  const value = tryJson(text);
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

/** Returns true for an empty response or an image of one pixel. */
function isBeacon(entry: CaptureEntry, url: URL): boolean {
  const { request, response } = entry;
  if (response === null || !/^(GET|POST)$/.test(request.method)) return false;
  if (response.status === 204) return true;
  if (resourceTypeOf(entry, url) !== "image" || !contentType(entry).endsWith("gif")) return false;
  return response.bodyBytes !== null && response.bodyBytes <= maxPixelBytes;
}
