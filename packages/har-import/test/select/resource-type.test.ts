import { expect, test } from "vitest";
import { isTopDocument, resourceTypeOf, type ResourceType } from "../../src/select/resource-type.ts";
import { entryFor, type EntryFields } from "./timed-entries.ts";

function dest(value: string): EntryFields {
  return { request: { headers: [["sec-fetch-dest", value]] } };
}

function respondedWith(mimeType: string, headers: readonly (readonly [string, string])[] = []): EntryFields {
  return { response: { mimeType }, request: { headers } };
}

test.each<[ResourceType, string, EntryFields]>([
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
  ["document", "/", respondedWith("Text/HTML; charset=utf-8")],
  ["xhr", "/", respondedWith("text/html", [["X-Requested-With", "XMLHttpRequest"]])],
  ["xhr", "/", respondedWith("text/html", [["Accept", "application/json, text/plain, */*"]])],
  ["xhr", "/", respondedWith("application/problem+json")],
  ["font", "/f", respondedWith("application/font-woff")],
  ["script", "/s", respondedWith("application/x-javascript")],
  ["media", "/s", respondedWith("audio/ogg")],
  ["image", "/x", { response: { mimeType: "x-unknown", headers: [["Content-Type", "image/png"]] } }],
  ["script", "/x", { response: { mimeType: "", headers: [["content-type", "text/javascript; a=b"]] } }],
  ["font", "/a.woff2", respondedWith("application/octet-stream")],
  ["image", "/A.PNG", respondedWith("")],
  ["script", "/a.mjs", { response: null }],
  ["other", "/download", respondedWith("application/octet-stream")],
  ["other", "/constructor", { resourceType: "__proto__" }],
])("%s: %s %j", (type, path, fields) => {
  const url = `https://shop.test${path}`;
  expect(resourceTypeOf(entryFor(url, fields), new URL(url))).toBe(type);
});

test("the document of a frame is not a top-level document", () => {
  const url = "https://shop.test/";
  const frame = entryFor(url, { ...dest("iframe"), resourceType: "document" });
  expect(isTopDocument(frame, new URL(url))).toBe(false);
  expect(isTopDocument(entryFor(url, { resourceType: "document" }), new URL(url))).toBe(true);
});
