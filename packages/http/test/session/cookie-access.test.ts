import type { CookieJar, CookieOptions } from "@bearhug/sdk";
import { SeenSecrets } from "@bearhug/text/seen-secrets";
import { describe, expect, test } from "vitest";

import { createCookieAccess } from "../../src/session/cookie-access.ts";
import { Cookies } from "../../src/session/cookies.ts";

const baseUrl = "http://shop.example/app/";
const seen = new SeenSecrets(() => {});

function visitor(base: string | null = baseUrl) {
  let nowMs = 0;
  const cookies = new Cookies({ date: () => new Date(nowMs) });
  const jar = createCookieAccess(() => ({
    cookies,
    seen,
    missingValues: null,
    baseUrl: base,
    move: (url) => url,
  }));
  return {
    cookies,
    jar,
    wait: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

const withoutCookies: CookieJar = createCookieAccess(() => ({
  cookies: null,
  seen,
  missingValues: null,
  baseUrl,
  move: (url) => url,
}));

describe("http.cookies", () => {
  test("shows the cookies that would be sent to an address", () => {
    const { cookies, jar } = visitor();
    cookies.store(new URL("http://shop.example/app/login"), [
      "sid=1; Path=/; HttpOnly",
      "sid=2",
      "theme=dark; Path=/admin",
    ]);
    expect(jar.get("sid")).toBe("2");
    expect(jar.get("sid", "/")).toBe("1");
    expect(jar.get("theme")).toBeNull();
    expect([...jar.all("/admin")]).toEqual([
      ["theme", "dark"],
      ["sid", "1"],
    ]);
    expect([...jar.all(new URL("http://other.example/"))]).toEqual([]);
  });

  test("sets cookies that are sent like any other", () => {
    const { cookies, jar, wait } = visitor();
    jar.set("a", "1");
    jar.set("b", "x y", { path: "/app", maxAge: 5 });
    jar.set("c", "3", { url: "https://www.shop.example/", domain: "shop.example", secure: true });
    expect(cookies.header(new URL("http://shop.example/app/x"))).toBe("b=x y; a=1");
    expect(cookies.header(new URL("https://shop.example/"))).toBe("a=1; c=3");
    wait(5);
    expect(jar.get("b", "/app")).toBeNull();
    jar.set("a", "", { maxAge: 0 });
    expect(jar.get("a")).toBeNull();
  });

  test("clears all cookies", () => {
    const { cookies, jar } = visitor();
    jar.set("a", "1");
    const { clear, all } = jar;
    clear();
    expect(all().size).toBe(0);
    expect(cookies.header(new URL(baseUrl))).toBeNull();
  });

  test.each<{ name?: string; value?: string; options?: CookieOptions; says: string }>([
    { name: "", says: '"" is not a valid cookie name' },
    { name: "a b", says: '"a b" is not a valid cookie name' },
    { name: "a\r\nx-evil: 1", says: "is not a valid cookie name" },
    { value: "1; Path=/", says: 'the value of "a" contains characters' },
    { value: "1\r\nx-evil: 1", says: 'the value of "a" contains characters' },
    { value: "é", says: "encode it with encodeURIComponent()" },
    { value: " 1", says: 'the value of "a" contains characters' },
    { value: "x".repeat(5000), says: 'no browser would keep "a" of http://shop.example' },
    { options: { domain: "a;b" }, says: 'the domain "a;b"' },
    { options: { domain: "other.example" }, says: "is not that of the address" },
    { options: { domain: "com", url: "http://shop.com" }, says: "public suffix" },
    { options: { path: "app" }, says: 'must begin with "/"' },
    { options: { path: "/;Domain=x" }, says: 'must begin with "/"' },
    { options: { maxAge: 1.5 }, says: "must be whole seconds" },
    { options: { secure: true }, says: "the address has no TLS" },
    { name: "__Host-a", says: "__Host" },
  ])("refuses $name $value $options", ({ name = "a", value = "1", options, says }) => {
    const { cookies, jar } = visitor();
    expect(() => jar.set(name, value, options)).toThrow(
      expect.objectContaining({ code: "INVALID_REQUEST", message: expect.stringContaining(says) as string }),
    );
    expect(cookies.header(new URL(baseUrl))).toBeNull();
  });

  test("needs a url if the test has no baseUrl", () => {
    const { jar } = visitor(null);
    for (const ask of [() => jar.get("a"), () => jar.all(), () => jar.set("a", "1")]) {
      expect(ask).toThrow(/http.cookies: the test has no baseUrl: pass a url/);
    }
    jar.set("a", "1", { url: "http://shop.example" });
    expect(jar.get("a", "http://shop.example")).toBe("1");
    for (const url of ["/relative", "ftp://shop.example"]) {
      expect(() => jar.get("a", url)).toThrow(`"${url}" is not an http: or https: URL`);
    }
  });
});

describe("http.cookies of a test without cookies", () => {
  test("is empty, and refuses to set a cookie, which would be lost", () => {
    expect(withoutCookies.get("a")).toBeNull();
    expect(withoutCookies.all().size).toBe(0);
    withoutCookies.clear();
    expect(() => withoutCookies.set("a", "1")).toThrow(/keeps no cookies/);
  });

  test("refuses invalid arguments, too", () => {
    expect(() => withoutCookies.set("a;", "1")).toThrow(/is not a valid cookie name/);
    expect(() => withoutCookies.get("a", "ftp://x")).toThrow(
      expect.objectContaining({ code: "INVALID_URL" }),
    );
  });
});
