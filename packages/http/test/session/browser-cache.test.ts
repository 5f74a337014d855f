import { describe, expect, test } from "vitest";

import { fresh, page, text, visitor, type Asked } from "./cache-visitor.ts";

describe("a returning visitor", () => {
  test("does not ask for what is fresh, and gets it as it came", () => {
    const { ask, get, wait } = visitor();
    get({}, 200, fresh, "a { }");
    wait(59);
    const answer = ask();
    expect(answer).toMatchObject({ kind: "fresh", response: { status: 200, rawHeaders: fresh } });
    expect(answer.kind === "fresh" && text(answer.response)).toBe("a { }");
  });

  test("asks whether what is stale still holds", () => {
    const { ask, get, wait } = visitor();
    get({}, 200, fresh);
    wait(60);
    expect(ask()).toMatchObject({
      kind: "stale",
      conditionalHeaders: ["if-none-match", '"v1"', "if-modified-since", "Wed, 31 Dec 2025 00:00:00 GMT"],
    });
  });

  test("has what was confirmed for as long again, with the headers that came with the 304", () => {
    const { ask, get, confirm, wait } = visitor();
    get({}, 200, fresh, "a { }");
    wait(60);
    const confirmed = confirm(ask(), ["cache-control", "max-age=10", "x-new", "1"]);
    expect(confirmed).toMatchObject({
      status: 200,
      rawHeaders: [...fresh.slice(2), "cache-control", "max-age=10", "x-new", "1"],
    });
    expect(text(confirmed)).toBe("a { }");
    wait(9);
    expect(ask()).toEqual({ kind: "fresh", response: confirmed });
    wait(1);
    expect(ask()).toMatchObject({ kind: "stale" });
  });

  test("keeps asking with `no-cache`, and forgets with `no-store`", () => {
    const { ask, get, confirm } = visitor();
    get({}, 200, ["cache-control", "no-cache", "etag", '"v1"']);
    const answer = ask();
    expect(answer).toMatchObject({ kind: "stale", conditionalHeaders: ["if-none-match", '"v1"'] });
    confirm(answer, []);
    expect(ask()).toMatchObject({ kind: "stale" });
    expect(text(confirm(ask(), ["cache-control", "no-store"]))).toBe("body");
    expect(ask()).toEqual({ kind: "miss" });
  });

  test("can have an answer confirmed that was forgotten meanwhile", () => {
    const { cache, ask, get, confirm, wait } = visitor();
    get({}, 200, fresh, "a { }");
    wait(60);
    const answer = ask();
    cache.clear();
    expect(ask()).toEqual({ kind: "miss" });
    expect(text(confirm(answer, ["etag", '"v1"']))).toBe("a { }");
    expect(ask()).toMatchObject({ kind: "fresh" });
  });

  test("has the newest answer only, and none where that is not to be kept", () => {
    const { ask, get } = visitor();
    get({}, 200, fresh, "old");
    get({}, 200, fresh, "new");
    const answer = ask();
    expect(answer.kind === "fresh" && text(answer.response)).toBe("new");
    get({}, 200, ["cache-control", "no-store"]);
    expect(ask()).toEqual({ kind: "miss" });
  });

  test("follows a redirect that was kept without asking", () => {
    const { ask, get, wait } = visitor();
    get({}, 301, ["location", "/there"], "");
    wait(86_400);
    expect(ask()).toMatchObject({
      kind: "fresh",
      response: { status: 301, rawHeaders: ["location", "/there"] },
    });
  });

  test("answers a HEAD from a GET that is fresh, without its body", () => {
    const { ask, get, wait } = visitor();
    get({}, 200, fresh);
    const answer = ask({ method: "HEAD" });
    expect(answer.kind === "fresh" && text(answer.response)).toBe("");
    wait(60);
    expect(ask({ method: "HEAD" })).toEqual({ kind: "miss" });
  });

  test.each([
    { url: `${page}?v=2`, kind: "miss" },
    { url: "https://shop.example/style.css", kind: "miss" },
    { url: "http://shop.example:8080/style.css", kind: "miss" },
    { url: `${page}#top`, kind: "fresh" },
    { url: `${page}#`, kind: "fresh" },
  ])("has $url: $kind", ({ url, kind }) => {
    const { ask, get } = visitor();
    get({}, 200, fresh);
    expect(ask({ url }).kind).toBe(kind);
  });
});

describe("a request goes to the server", () => {
  test.each<Asked & { isKept: boolean }>([
    { headers: ["Cache-Control", "no-cache"], isKept: true },
    { headers: ["cache-control", "no-store"], isKept: false },
    { headers: ["pragma", "no-cache"], isKept: true },
    { headers: ["If-None-Match", '"own"'], isKept: false },
    { headers: ["if-modified-since", "Wed, 31 Dec 2025 00:00:00 GMT"], isKept: false },
    { headers: ["range", "bytes=0-9"], isKept: false },
    { method: "POST", isKept: false },
    { method: "OPTIONS", isKept: false },
  ])("with $method $headers; its answer is kept: $isKept", ({ isKept, ...asked }) => {
    const { ask, get } = visitor();
    get({}, 200, fresh, "old");
    expect(ask(asked)).toEqual({ kind: "miss" });
    const other = visitor();
    other.get(asked, 200, fresh, "new");
    expect(other.ask().kind).toBe(isKept ? "fresh" : "miss");
  });

  test("that wants a younger answer, with conditions", () => {
    const { ask, get, wait } = visitor();
    get({}, 200, fresh);
    wait(5);
    expect(ask({ headers: ["cache-control", "max-age=6"] }).kind).toBe("fresh");
    expect(ask({ headers: ["cache-control", "max-age=5"] }).kind).toBe("stale");
    expect(ask({ headers: ["cache-control", "max-age=0"] }).kind).toBe("stale");
  });

  test("that wants a body which was thrown away", () => {
    const { ask, get } = visitor();
    get({}, 200, fresh, null);
    expect(ask({ discardsBody: true })).toMatchObject({ kind: "fresh", response: { body: null } });
    expect(ask()).toEqual({ kind: "miss" });
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
    const { ask, get } = visitor();
    get({ headers: ["accept-language", "de", "cookie", "a=1"] }, 200, varying);
    expect(ask({ headers }).kind).toBe(kind);
  });

  test("still holds after a 304 that says nothing of it", () => {
    const { ask, get, confirm, wait } = visitor();
    const headers = ["accept-language", "de"];
    get({ headers }, 200, varying);
    wait(60);
    confirm(ask({ headers }), []);
    expect(ask({ headers }).kind).toBe("fresh");
    expect(ask({ headers: ["accept-language", "en"] }).kind).toBe("miss");
  });
});

describe("a change makes what it may have changed unknown (RFC 9111, 4.4)", () => {
  const list = "http://shop.example/list";
  const elsewhere = "http://other.example/list";

  test.each([
    { method: "POST", status: 200, isKnown: false },
    { method: "PUT", status: 204, isKnown: false },
    { method: "DELETE", status: 302, isKnown: false },
    { method: "PATCH", status: 200, isKnown: false },
    { method: "PURGE", status: 200, isKnown: false },
    { method: "POST", status: 404, isKnown: true },
    { method: "POST", status: 500, isKnown: true },
    { method: "OPTIONS", status: 200, isKnown: true },
    { method: "HEAD", status: 200, isKnown: true },
  ])("$method answered with $status", ({ method, status, isKnown }) => {
    const { ask, get } = visitor();
    get({}, 200, fresh);
    get({ method }, status, []);
    expect(ask().kind).toBe(isKnown ? "fresh" : "miss");
  });

  test("also where the answer points, on the same origin", () => {
    const { ask, get } = visitor();
    for (const url of [page, list, elsewhere]) get({ url }, 200, fresh);
    get({ method: "POST", url: "http://shop.example/x" }, 201, [
      "Location",
      "/list",
      "Content-Location",
      page,
    ]);
    get({ method: "POST", url: "http://shop.example/x" }, 201, ["Location", elsewhere]);
    expect([page, list, elsewhere].map((url) => ask({ url }).kind)).toEqual(["miss", "miss", "fresh"]);
  });
});
