import { expect, test } from "vitest";
import { isTopDocument, resourceTypeOf, type ResourceType } from "../../src/select/resource-type.ts";
import { askFor, type Said } from "./timed-entries.ts";

function dest(value: string): Said {
  return { request: { headers: [["sec-fetch-dest", value]] } };
}

function answered(mimeType: string, headers: readonly (readonly [string, string])[] = []): Said {
  return { response: { mimeType }, request: { headers } };
}

test.each<[ResourceType, string, Said]>([
  ["document", "/", { resourceType: "document" }],
  ["xhr", "/a.css", { resourceType: "xhr" }],
  ["xhr", "/a.css", { resourceType: "fetch" }],
  ["script", "/jsonp", { resourceType: "script", response: { mimeType: "application/json" } }],
  ["image", "/favicon.ico", { resourceType: "other", response: { mimeType: "image/x-icon" } }],
  ["document", "/frame", dest("iframe")],
  ["stylesheet", "/theme", dest("style")],
  ["script", "/worker", dest("worker")],
  ["media", "/film", dest("video")],
  ["xhr", "/part.html", { ...dest("empty"), response: { mimeType: "text/html" } }],
  ["document", "/", answered("Text/HTML; charset=utf-8")],
  ["xhr", "/", answered("text/html", [["X-Requested-With", "XMLHttpRequest"]])],
  ["xhr", "/", answered("text/html", [["Accept", "application/json, text/plain, */*"]])],
  ["xhr", "/", answered("application/problem+json")],
  ["font", "/f", answered("application/font-woff")],
  ["script", "/s", answered("application/x-javascript")],
  ["media", "/s", answered("audio/ogg")],
  ["image", "/x", { response: { mimeType: "x-unknown", headers: [["Content-Type", "image/png"]] } }],
  ["script", "/x", { response: { mimeType: "", headers: [["content-type", "text/javascript; a=b"]] } }],
  ["font", "/a.woff2", answered("application/octet-stream")],
  ["image", "/A.PNG", answered("")],
  ["script", "/a.mjs", { response: null }],
  ["other", "/download", answered("application/octet-stream")],
  ["other", "/constructor", { resourceType: "__proto__" }],
])("%s: %s %j", (type, path, said) => {
  const url = `https://shop.test${path}`;
  expect(resourceTypeOf(askFor(url, said), new URL(url))).toBe(type);
});

test("a frame's document is no page", () => {
  const url = "https://shop.test/";
  const frame = askFor(url, { ...dest("iframe"), resourceType: "document" });
  expect(isTopDocument(frame, new URL(url))).toBe(false);
  expect(isTopDocument(askFor(url, { resourceType: "document" }), new URL(url))).toBe(true);
});
