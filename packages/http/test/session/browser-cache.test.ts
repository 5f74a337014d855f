import { describe, expect, test } from "vitest";

import { fresh, page, text, visitor, type CacheRequest } from "./cache-visitor.ts";

describe("a returning visitor", () => {
  test("gets a fresh response from the cache, unchanged", () => {
    const { lookUp, store, wait } = visitor();
    store({}, 200, fresh, "a { }");
    wait(59);
    const found = lookUp();
    expect(found).toMatchObject({ kind: "fresh", response: { status: 200, rawHeaders: fresh } });
    expect(found.kind === "fresh" && text(found.response)).toBe("a { }");
  });

  test("revalidates a stale response", () => {
    const { lookUp, store, wait } = visitor();
    store({}, 200, fresh);
    wait(60);
    expect(lookUp()).toMatchObject({
      kind: "stale",
      conditionalHeaders: ["if-none-match", '"v1"', "if-modified-since", "Wed, 31 Dec 2025 00:00:00 GMT"],
    });
  });

  test("keeps a revalidated response for the lifetime in the 304, and with its headers", () => {
    const { lookUp, store, revalidate, wait } = visitor();
    store({}, 200, fresh, "a { }");
    wait(60);
    const confirmed = revalidate(lookUp(), ["cache-control", "max-age=10", "x-new", "1"]);
    expect(confirmed).toMatchObject({
      status: 200,
      rawHeaders: [...fresh.slice(2), "cache-control", "max-age=10", "x-new", "1"],
    });
    expect(text(confirmed)).toBe("a { }");
    wait(9);
    expect(lookUp()).toEqual({ kind: "fresh", response: confirmed });
    wait(1);
    expect(lookUp()).toMatchObject({ kind: "stale" });
  });

  test("always revalidates with `no-cache`, and drops the response with `no-store`", () => {
    const { lookUp, store, revalidate } = visitor();
    store({}, 200, ["cache-control", "no-cache", "etag", '"v1"']);
    const found = lookUp();
    expect(found).toMatchObject({ kind: "stale", conditionalHeaders: ["if-none-match", '"v1"'] });
    revalidate(found, []);
    expect(lookUp()).toMatchObject({ kind: "stale" });
    expect(text(revalidate(lookUp(), ["cache-control", "no-store"]))).toBe("body");
    expect(lookUp()).toEqual({ kind: "miss" });
  });

  test("can revalidate a response that was dropped meanwhile", () => {
    const { cache, lookUp, store, revalidate, wait } = visitor();
    store({}, 200, fresh, "a { }");
    wait(60);
    const found = lookUp();
    cache.clear();
    expect(lookUp()).toEqual({ kind: "miss" });
    expect(text(revalidate(found, ["etag", '"v1"']))).toBe("a { }");
    expect(lookUp()).toMatchObject({ kind: "fresh" });
  });

  test("has the newest response only, and none if that must not be stored", () => {
    const { lookUp, store } = visitor();
    store({}, 200, fresh, "old");
    store({}, 200, fresh, "new");
    const found = lookUp();
    expect(found.kind === "fresh" && text(found.response)).toBe("new");
    store({}, 200, ["cache-control", "no-store"]);
    expect(lookUp()).toEqual({ kind: "miss" });
  });

  test("follows a cached redirect without a request", () => {
    const { lookUp, store, wait } = visitor();
    store({}, 301, ["location", "/there"], "");
    wait(86_400);
    expect(lookUp()).toMatchObject({
      kind: "fresh",
      response: { status: 301, rawHeaders: ["location", "/there"] },
    });
  });

  test("serves a HEAD from a fresh GET, without its body", () => {
    const { lookUp, store, wait } = visitor();
    store({}, 200, fresh);
    const found = lookUp({ method: "HEAD" });
    expect(found.kind === "fresh" && text(found.response)).toBe("");
    wait(60);
    expect(lookUp({ method: "HEAD" })).toEqual({ kind: "miss" });
  });

  test.each([
    { url: `${page}?v=2`, kind: "miss" },
    { url: "https://shop.example/style.css", kind: "miss" },
    { url: "http://shop.example:8080/style.css", kind: "miss" },
    { url: `${page}#top`, kind: "fresh" },
    { url: `${page}#`, kind: "fresh" },
  ])("finds $url: $kind", ({ url, kind }) => {
    const { lookUp, store } = visitor();
    store({}, 200, fresh);
    expect(lookUp({ url }).kind).toBe(kind);
  });
});

describe("a request goes to the server", () => {
  test.each<CacheRequest & { isKept: boolean }>([
    { headers: ["Cache-Control", "no-cache"], isKept: true },
    { headers: ["cache-control", "no-store"], isKept: false },
    { headers: ["pragma", "no-cache"], isKept: true },
    { headers: ["If-None-Match", '"own"'], isKept: false },
    { headers: ["if-modified-since", "Wed, 31 Dec 2025 00:00:00 GMT"], isKept: false },
    { headers: ["range", "bytes=0-9"], isKept: false },
    { method: "POST", isKept: false },
    { method: "OPTIONS", isKept: false },
  ])("with $method $headers; its response is stored: $isKept", ({ isKept, ...asked }) => {
    const { lookUp, store } = visitor();
    store({}, 200, fresh, "old");
    expect(lookUp(asked)).toEqual({ kind: "miss" });
    const other = visitor();
    other.store(asked, 200, fresh, "new");
    expect(other.lookUp().kind).toBe(isKept ? "fresh" : "miss");
  });

  test("that requires a younger response, with conditions", () => {
    const { lookUp, store, wait } = visitor();
    store({}, 200, fresh);
    wait(5);
    expect(lookUp({ headers: ["cache-control", "max-age=6"] }).kind).toBe("fresh");
    expect(lookUp({ headers: ["cache-control", "max-age=5"] }).kind).toBe("stale");
    expect(lookUp({ headers: ["cache-control", "max-age=0"] }).kind).toBe("stale");
  });

  test("that needs a body which was discarded", () => {
    const { lookUp, store } = visitor();
    store({}, 200, fresh, null);
    expect(lookUp({ discardsBody: true })).toMatchObject({ kind: "fresh", response: { body: null } });
    expect(lookUp()).toEqual({ kind: "miss" });
  });
});

describe("Vary (RFC 9111, 4.1)", () => {
  const varying = [...fresh, "Vary", "Accept-Language, cookie"];
  test.each<{ headers: readonly string[]; kind: string }>([
    { headers: ["Accept-Language", "de", "cookie", "a=1"], kind: "fresh" },
    { headers: ["cookie", "a=1", "accept-language", " de ", "accept", "*/*"], kind: "fresh" },
    { headers: ["accept-language", "en", "cookie", "a=1"], kind: "miss" },
    { headers: ["accept-language", "de"], kind: "miss" },
    { headers: ["accept-language", "de", "accept-language", "en", "cookie", "a=1"], kind: "miss" },
  ])("with $headers: $kind", ({ headers, kind }) => {
    const { lookUp, store } = visitor();
    store({ headers: ["accept-language", "de", "cookie", "a=1"] }, 200, varying);
    expect(lookUp({ headers }).kind).toBe(kind);
  });

  test("still holds after a 304 without the header", () => {
    const { lookUp, store, revalidate, wait } = visitor();
    const headers = ["accept-language", "de"];
    store({ headers }, 200, varying);
    wait(60);
    revalidate(lookUp({ headers }), []);
    expect(lookUp({ headers }).kind).toBe("fresh");
    expect(lookUp({ headers: ["accept-language", "en"] }).kind).toBe("miss");
  });
});

describe("a request that may change something invalidates what is cached (RFC 9111, 4.4)", () => {
  const list = "http://shop.example/list";
  const elsewhere = "http://other.example/list";

  test.each([
    { method: "POST", status: 200, isCached: false },
    { method: "PUT", status: 204, isCached: false },
    { method: "DELETE", status: 302, isCached: false },
    { method: "PATCH", status: 200, isCached: false },
    { method: "PURGE", status: 200, isCached: false },
    { method: "POST", status: 404, isCached: true },
    { method: "POST", status: 500, isCached: true },
    { method: "OPTIONS", status: 200, isCached: true },
    { method: "HEAD", status: 200, isCached: true },
  ])("$method with status $status: still cached $isCached", ({ method, status, isCached }) => {
    const { lookUp, store } = visitor();
    store({}, 200, fresh);
    store({ method }, status, []);
    expect(lookUp().kind).toBe(isCached ? "fresh" : "miss");
  });

  test("also at the addresses in its response, on the same origin", () => {
    const { lookUp, store } = visitor();
    for (const url of [page, list, elsewhere]) store({ url }, 200, fresh);
    store({ method: "POST", url: "http://shop.example/x" }, 201, [
      "Location",
      "/list",
      "Content-Location",
      page,
    ]);
    store({ method: "POST", url: "http://shop.example/x" }, 201, ["Location", elsewhere]);
    expect([page, list, elsewhere].map((url) => lookUp({ url }).kind)).toEqual(["miss", "miss", "fresh"]);
  });
});
