import { describe, expect, test } from "vitest";

import {
  cacheDirectives,
  confirmedHeaders,
  httpDateMs,
  cachePolicy,
  isFresh,
} from "../../src/session/cache-policy.ts";

const receivedAtMs = Date.UTC(2026, 0, 1, 12);
const times = { requestedAtMs: receivedAtMs, receivedAtMs };
const httpDate = (offsetSeconds: number): string =>
  new Date(receivedAtMs + offsetSeconds * 1000).toUTCString();

type Headers = Readonly<Record<string, string | readonly string[]>>;
const flat = (headers: Headers): string[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));

const policy = (headers: Headers, status = 200) => cachePolicy(status, flat(headers), times);
const etag = '"v1"';

/** Returns for how many seconds a response may be used without a request; -1 if it is not stored. */
function freshSeconds(headers: Headers, status = 200): number {
  const kept = policy({ etag, ...headers }, status);
  return kept === null ? -1 : Math.max(0, (kept.bornAtMs + kept.lifetimeMs - receivedAtMs) / 1000);
}

describe("a response is fresh (RFC 9111, 4.2.1 and 4.2.2)", () => {
  test.each<{ headers: Headers; seconds: number }>([
    { headers: {}, seconds: 0 },
    { headers: { "cache-control": "max-age=60" }, seconds: 60 },
    { headers: { "Cache-Control": "Public, Max-Age=60" }, seconds: 60 },
    { headers: { "cache-control": 'max-age="60"' }, seconds: 60 },
    { headers: { "cache-control": "max-age = 60" }, seconds: 60 },
    { headers: { "cache-control": ["public", "max-age=60"] }, seconds: 60 },
    { headers: { "cache-control": "max-age=60, max-age=90" }, seconds: 60 },
    { headers: { "cache-control": "private, max-age=60" }, seconds: 60 },
    { headers: { "cache-control": "max-age=60, must-revalidate" }, seconds: 60 },
    { headers: { "cache-control": "max-age=60, proxy-revalidate, s-maxage=0" }, seconds: 60 },
    { headers: { "cache-control": "s-maxage=60" }, seconds: 0 },
    { headers: { "cache-control": "max-age=0" }, seconds: 0 },
    { headers: { "cache-control": "max-age=-5" }, seconds: 0 },
    { headers: { "cache-control": "max-age=soon" }, seconds: 0 },
    { headers: { "cache-control": "max-age=60; public" }, seconds: 0 },
    { headers: { "cache-control": "max-age=99999999999999" }, seconds: 2 ** 31 },
    { headers: { "cache-control": "max-age=60, no-cache" }, seconds: 0 },
    { headers: { "cache-control": 'max-age=60, no-cache="set-cookie"' }, seconds: 0 },
    { headers: { "cache-control": 'private="no-cache, x", max-age=60' }, seconds: 60 },
    { headers: { "cache-control": "max-age=60", pragma: "no-cache" }, seconds: 0 },
    { headers: { "cache-control": "max-age=60", expires: httpDate(600), date: httpDate(0) }, seconds: 60 },
    { headers: { expires: httpDate(600), date: httpDate(0) }, seconds: 600 },
    { headers: { expires: httpDate(600) }, seconds: 600 },
    { headers: { expires: httpDate(600), date: httpDate(-100) }, seconds: 600 },
    { headers: { expires: httpDate(-1), date: httpDate(0) }, seconds: 0 },
    { headers: { expires: "0" }, seconds: 0 },
    { headers: { expires: "-1", "last-modified": httpDate(-1000) }, seconds: 0 },
    { headers: { expires: "9999" }, seconds: 0 },
    { headers: { "last-modified": httpDate(-1000), date: httpDate(0) }, seconds: 100 },
    { headers: { "last-modified": httpDate(1000), date: httpDate(0) }, seconds: 0 },
    { headers: { "last-modified": "yesterday" }, seconds: 0 },
    { headers: { "last-modified": httpDate(-1000), "cache-control": "no-cache" }, seconds: 0 },
    { headers: { "last-modified": httpDate(-1000), "cache-control": "must-revalidate" }, seconds: 0 },
    { headers: { "last-modified": httpDate(-1000), "cache-control": "max-age=5" }, seconds: 5 },
  ])("with $headers for $seconds s", ({ headers, seconds }) => {
    expect(freshSeconds(headers)).toBe(seconds);
  });

  test.each([
    { status: 200, seconds: 100 },
    { status: 203, seconds: 100 },
    { status: 204, seconds: 0 },
    { status: 404, seconds: 0 },
    { status: 301, seconds: Infinity },
    { status: 308, seconds: Infinity },
    { status: 410, seconds: Infinity },
    { status: 302, seconds: -1 },
    { status: 307, seconds: -1 },
  ])(
    "for $seconds s with status $status, if it was last modified 1000 s ago and has no other headers",
    ({ status, seconds }) => {
      expect(freshSeconds({ "last-modified": httpDate(-1000), date: httpDate(0) }, status)).toBe(seconds);
    },
  );
});

describe("a response's age counts (RFC 9111, 4.2.3)", () => {
  test.each([
    { headers: { age: "20" }, waitedMs: 0, left: 40 },
    { headers: { age: "20" }, waitedMs: 3000, left: 37 },
    { headers: {}, waitedMs: 3000, left: 57 },
    { headers: { date: httpDate(-30) }, waitedMs: 0, left: 30 },
    { headers: { date: httpDate(-10), age: "20" }, waitedMs: 0, left: 40 },
    { headers: { date: httpDate(50) }, waitedMs: 0, left: 60 },
    { headers: { age: "old" }, waitedMs: 0, left: 60 },
    { headers: { age: "90" }, waitedMs: 0, left: 0 },
  ])("$headers after $waitedMs ms leaves $left of 60 s", ({ headers, waitedMs, left }) => {
    const kept = cachePolicy(200, flat({ etag, "cache-control": "max-age=60", ...headers }), {
      requestedAtMs: receivedAtMs - waitedMs,
      receivedAtMs,
    })!;
    if (left > 0) expect(isFresh(kept, receivedAtMs + left * 1000 - 1, Infinity)).toBe(true);
    expect(isFresh(kept, receivedAtMs + left * 1000, Infinity)).toBe(false);
  });

  test("and a request may require a younger response", () => {
    const kept = policy({ "cache-control": "max-age=60", age: "10" })!;
    expect(isFresh(kept, receivedAtMs, 11_000)).toBe(true);
    expect(isFresh(kept, receivedAtMs, 10_000)).toBe(false);
    expect(isFresh(kept, receivedAtMs, 0)).toBe(false);
  });
});

describe("a private cache keeps (RFC 9111, 3)", () => {
  const explicit: Headers = { "cache-control": "max-age=60" };
  test.each<{ status: number; headers: Headers; keeps: boolean }>([
    { status: 200, headers: explicit, keeps: true },
    { status: 200, headers: { "cache-control": "private, max-age=60" }, keeps: true },
    { status: 200, headers: { etag }, keeps: true },
    { status: 200, headers: { "last-modified": httpDate(0) }, keeps: true },
    { status: 200, headers: { etag, "cache-control": "no-cache" }, keeps: true },
    { status: 200, headers: {}, keeps: false },
    { status: 200, headers: { "cache-control": "no-cache" }, keeps: false },
    { status: 200, headers: { "cache-control": "no-store, max-age=60" }, keeps: false },
    { status: 200, headers: { "cache-control": 'NO-STORE="x"' }, keeps: false },
    { status: 200, headers: { ...explicit, vary: "accept, *" }, keeps: false },
    { status: 200, headers: { ...explicit, "set-cookie": "a=1" }, keeps: true },
    { status: 203, headers: explicit, keeps: true },
    { status: 204, headers: explicit, keeps: true },
    { status: 206, headers: explicit, keeps: false },
    { status: 301, headers: {}, keeps: true },
    { status: 302, headers: explicit, keeps: true },
    { status: 302, headers: { expires: httpDate(60) }, keeps: true },
    { status: 302, headers: { etag }, keeps: false },
    { status: 302, headers: { etag, "cache-control": "public" }, keeps: true },
    { status: 302, headers: { etag, "cache-control": "private" }, keeps: true },
    { status: 303, headers: explicit, keeps: true },
    { status: 304, headers: explicit, keeps: false },
    { status: 404, headers: explicit, keeps: true },
    { status: 404, headers: {}, keeps: false },
    { status: 500, headers: { etag }, keeps: false },
    { status: 500, headers: explicit, keeps: true },
    { status: 101, headers: explicit, keeps: false },
  ])("$status with $headers: $keeps", ({ status, headers, keeps }) => {
    expect(policy(headers, status) !== null).toBe(keeps);
  });
});

describe("caching headers", () => {
  test.each([
    ["Sun, 06 Nov 1994 08:49:37 GMT", Date.UTC(1994, 10, 6, 8, 49, 37)],
    ["Sunday, 06-Nov-94 08:49:37 GMT", Date.UTC(1994, 10, 6, 8, 49, 37)],
    ["Sun Nov  6 08:49:37 1994", Date.UTC(1994, 10, 6, 8, 49, 37)],
    ["Sun Nov 16 08:49:37 1994", Date.UTC(1994, 10, 16, 8, 49, 37)],
    ["Tue, 01 Jan 2030 00:00:00 UTC", Date.UTC(2030, 0, 1)],
    ["Tue, 41 Jan 2030 00:00:00 GMT", null],
    ["2030-01-01T00:00:00Z", null],
    ["0", null],
    ["-1", null],
    ["9999", null],
    ["", null],
    [undefined, null],
  ])("the date %j is %j", (text, dateMs) => {
    expect(httpDateMs(text)).toBe(dateMs);
  });

  test.each<{ header: string; directives: Record<string, string> }>([
    { header: "", directives: {} },
    { header: ",, max-age=1 ,,", directives: { "max-age": "1" } },
    { header: 'a="x, y", B', directives: { a: "x, y", b: "" } },
    { header: 'a="x\\", y", b=2', directives: { a: 'x\\", y', b: "2" } },
    { header: 'a="unclosed, no-store', directives: { a: '"unclosed, no-store' } },
  ])("the directives of $header", ({ header, directives }) => {
    expect(Object.fromEntries(cacheDirectives(["Cache-Control", header]))).toEqual(directives);
  });

  test("headers of a 304 replace stored ones, except those about its own message (RFC 9111, 3.2)", () => {
    const stored = flat({
      ETag: etag,
      "Content-Length": "500",
      "Content-Type": "text/css",
      Warning: ["a", "b"],
      "X-A": "1",
    });
    const confirming = flat({
      etag: '"v2"',
      "content-length": "0",
      "content-type": "text/plain",
      "transfer-encoding": "chunked",
      connection: "close",
      "set-cookie": "a=1",
      warning: "c",
      "x-new": "2",
    });
    expect(confirmedHeaders(stored, confirming)).toEqual(
      flat({
        "Content-Length": "500",
        "Content-Type": "text/css",
        "X-A": "1",
        etag: '"v2"',
        warning: "c",
        "x-new": "2",
      }),
    );
  });
});
