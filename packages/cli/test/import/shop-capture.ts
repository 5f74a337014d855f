import { writeFileSync } from "node:fs";
import { join } from "node:path";

interface EntryFields {
  readonly method?: string;
  readonly atMs?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly mimeType?: string;
  /** The target of a redirect, which makes the status 302. */
  readonly location?: string;
  readonly title?: string;
}

/** Returns the entry of one request, as a browser exports it. */
export function entryOf(url: string, fields: EntryFields = {}): Record<string, unknown> {
  const {
    method = "GET",
    atMs = 0,
    type = "document",
    headers = {},
    form,
    responseBody = "",
    mimeType,
    location,
  } = fields;
  const text = form === undefined ? undefined : new URLSearchParams(form).toString();
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + atMs).toISOString(),
    time: 50,
    _resourceType: type,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(text === undefined ? {} : { postData: { mimeType: "application/x-www-form-urlencoded", text } }),
    },
    response: {
      status: location === undefined ? 200 : 302,
      headers: location === undefined ? [] : [{ name: "Location", value: location }],
      content: {
        mimeType: mimeType ?? (type === "document" ? "text/html" : "application/json"),
        text: responseBody,
      },
    },
    timings: { send: 0, wait: 50, receive: 0 },
  };
}

export const password = "correct-horse-battery-staple";

/** A visitor logs in to a shop and searches three times; third parties track the visit. */
export const visit: readonly Record<string, unknown>[] = [
  entryOf("https://shop.test/", { responseBody: "<title>Shop</title>" }),
  entryOf("https://shop.test/app.css", { atMs: 60, type: "stylesheet", mimeType: "text/css" }),
  entryOf("https://www.google-analytics.com/g/collect?v=2&tid=G-1", { atMs: 70, type: "ping" }),
  entryOf("https://api.partner.com/stock", { atMs: 80, type: "fetch", responseBody: "{}" }),
  entryOf("https://shop.test/login", { method: "POST", atMs: 5000, form: { user: "jane", password } }),
  entryOf("https://shop.test/search?q=shoes", { atMs: 9000, type: "fetch", responseBody: "[]" }),
  entryOf("https://shop.test/search?q=hats", { atMs: 12_000, type: "fetch", responseBody: "[]" }),
  entryOf("https://shop.test/search?q=gloves", { atMs: 15_000, type: "fetch", responseBody: "[]" }),
];

/** Writes a capture into a folder, by default one of `visit`. */
export function writeCapture(folder: string, entries: readonly unknown[] = visit, name = "shop.har"): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ log: { version: "1.2", creator: { name: "test" }, entries } }));
  return path;
}
