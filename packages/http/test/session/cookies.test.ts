import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { Cookies } from "../../src/session/cookies.ts";

/** Makes a visitor; its clock moves only with `wait`. */
function visitor(startMs = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs;
  const cookies = new Cookies({ date: () => new Date(nowMs) });
  return {
    cookies,
    set: (url: string, ...lines: string[]) => cookies.store(new URL(url), lines),
    sent: (url: string) => cookies.header(new URL(url)),
    wait: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

describe("a cookie is sent where its attributes say", () => {
  test.each([
    { from: "http://shop.example/", line: "a=1", to: "http://shop.example/x", sent: "a=1" },
    { from: "http://shop.example/", line: "a=1", to: "https://shop.example:8443/x", sent: "a=1" },
    { from: "http://shop.example/", line: "a=1", to: "http://www.shop.example/", sent: null },
    {
      from: "http://www.shop.example/",
      line: "a=1; Domain=shop.example",
      to: "http://shop.example/",
      sent: "a=1",
    },
    {
      from: "http://www.shop.example/",
      line: "a=1; Domain=.Shop.Example",
      to: "http://img.shop.example/",
      sent: "a=1",
    },
    {
      from: "http://shop.example/",
      line: "a=1; domain=shop.example",
      to: "http://evilshop.example/",
      sent: null,
    },
    { from: "http://shop.example/a/b", line: "a=1", to: "http://shop.example/a/c", sent: "a=1" },
    { from: "http://shop.example/a/b", line: "a=1", to: "http://shop.example/", sent: null },
    { from: "http://shop.example/a%20b/c", line: "a=1", to: "http://shop.example/a%20b/d", sent: "a=1" },
    { from: "http://shop.example/a", line: "a=1; Path=/b", to: "http://shop.example/b", sent: "a=1" },
    { from: "http://shop.example/a", line: "a=1; Path=/b", to: "http://shop.example/b/c", sent: "a=1" },
    { from: "http://shop.example/a", line: "a=1; Path=/b", to: "http://shop.example/bc", sent: null },
    { from: "http://shop.example/a", line: "a=1; Path=b", to: "http://shop.example/c", sent: "a=1" },
    { from: "https://shop.example/", line: "a=1; Secure", to: "https://shop.example/", sent: "a=1" },
    { from: "https://shop.example/", line: "a=1; Secure", to: "http://shop.example/", sent: null },
    {
      from: "https://shop.example/",
      line: "a=1; HttpOnly; SameSite=Strict",
      to: "https://shop.example/",
      sent: "a=1",
    },
    { from: "http://shop.example/", line: 'a="x, y" ', to: "http://shop.example/", sent: 'a="x, y"' },
    { from: "http://shop.example/", line: "a=b=c", to: "http://shop.example/", sent: "a=b=c" },
    { from: "http://shop.example/", line: "bare", to: "http://shop.example/", sent: "bare" },
    { from: "http://shop.example/", line: "a=", to: "http://shop.example/", sent: "a=" },
    {
      from: "http://shop.example/",
      line: "a=\u00c3\u00a9",
      to: "http://shop.example/",
      sent: "a=\u00c3\u00a9",
    },
  ])("$line of $from to $to: $sent", ({ from, line, to, sent }) => {
    const { set, sent: sentTo } = visitor();
    set(from, line);
    expect(sentTo(to)).toBe(sent);
  });
});

describe("addresses of test servers keep cookies", () => {
  test.each([
    "http://127.0.0.1:8080/",
    "http://10.1.2.3/",
    "http://[::1]:8080/",
    "http://[2001:db8::1]/",
    "http://localhost:3000/",
    "http://app.localhost/",
    "http://web:8080/",
    "http://shop.test/",
    "http://shop.local/",
  ])("%s", (url) => {
    const { hostname } = new URL(url);
    const { set, sent } = visitor();
    set(url, "a=1");
    set(url, `b=2; Domain=${hostname.replace(/^\[|\]$/g, "")}`);
    expect(sent(url)).toBe("a=1; b=2");
  });

  test.each([
    "http://127.0.0.1/",
    "http://127.8.9.1/",
    "http://[::1]/",
    "http://localhost/",
    "http://app.localhost/",
  ])("%s is trusted with Secure and __Host- without TLS, as in browsers", (url) => {
    const { set, sent } = visitor();
    set(url, "a=1; Secure", "__Host-b=2; Secure; Path=/");
    expect(sent(url)).toBe("a=1; __Host-b=2");
  });
});

describe("browsers do not keep", () => {
  test.each([
    { why: "another host's", from: "http://shop.example/", line: "a=1; Domain=other.example" },
    { why: "a subdomain's", from: "http://shop.example/", line: "a=1; Domain=www.shop.example" },
    { why: "a top-level domain's", from: "http://shop.com/", line: "a=1; Domain=com" },
    { why: "a public suffix's", from: "http://shop.co.uk/", line: "a=1; Domain=co.uk" },
    { why: "a private public suffix's", from: "http://me.github.io/", line: "a=1; Domain=github.io" },
    { why: "a part of an IP address's", from: "http://10.1.2.3/", line: "a=1; Domain=2.3" },
    { why: "Secure without TLS", from: "http://shop.example/", line: "a=1; Secure" },
    { why: "__Secure- without Secure", from: "https://shop.example/", line: "__Secure-a=1" },
    { why: "__Host- without Secure", from: "https://shop.example/", line: "__Host-a=1; Path=/" },
    {
      why: "__Host- with a Domain",
      from: "https://shop.example/",
      line: "__Host-a=1; Secure; Path=/; Domain=shop.example",
    },
    { why: "__Host- below the root", from: "https://shop.example/", line: "__Host-a=1; Secure; Path=/x" },
    { why: "__Host- without a Path", from: "https://shop.example/", line: "__Host-a=1; Secure" },
    { why: "more than 4096 bytes", from: "http://shop.example/", line: `a=${"x".repeat(4096)}` },
    { why: "nothing", from: "http://shop.example/", line: "" },
    { why: "no name and no value", from: "http://shop.example/", line: "=; Path=/" },
    { why: "control characters", from: "http://shop.example/", line: "a=\u0001" },
    { why: "an invalid domain", from: "http://shop.example/", line: "a=1; Domain=\u00c3 \u00a9[" },
    { why: "an expired cookie", from: "http://shop.example/", line: "a=1; Max-Age=0" },
  ])("$why", ({ from, line }) => {
    const { cookies, set } = visitor();
    set(from, line);
    for (const url of [
      from,
      from.replace("http:", "https:"),
      "http://other.example/",
      "https://www.shop.example/",
    ]) {
      expect(cookies.header(new URL(url))).toBeNull();
    }
  });

  test("the invalid cookie of a response, but keep its others", () => {
    const { set, sent } = visitor();
    set("http://shop.example/", "a=1", "b=2; Domain=com", "c=3");
    expect(sent("http://shop.example/")).toBe("a=1; c=3");
  });

  test("an attribute of more than 1024 bytes, but keep a cookie of 4096", () => {
    const { set, sent } = visitor();
    const largest = `a=${"x".repeat(4095)}`;
    set("http://shop.example/", largest, `b=1; Path=/${"p".repeat(1024)}`);
    expect(sent("http://shop.example/")).toBe(`${largest}; b=1`);
  });
});

describe("a cookie ends", () => {
  test.each([
    { line: "a=1", lastsS: 400 * 86_400 * 2, isEnding: false },
    { line: "a=1; Max-Age=60", lastsS: 60, isEnding: true },
    { line: "a=1; Max-Age=60; Expires=Thu, 01 Jan 2037 00:00:00 GMT", lastsS: 60, isEnding: true },
    { line: "a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT", lastsS: 60, isEnding: true },
    { line: "a=1; Expires=Thursday, 01-Jan-26 00:01:00 GMT", lastsS: 60, isEnding: true },
    { line: "a=1; Expires=nonsense", lastsS: 400 * 86_400 * 2, isEnding: false },
    { line: "a=1; Max-Age=99999999999999999999", lastsS: 400 * 86_400, isEnding: true },
    { line: "a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", lastsS: 400 * 86_400, isEnding: true },
  ])("$line", ({ line, lastsS, isEnding }) => {
    const { set, sent, wait } = visitor();
    set("http://shop.example/", line);
    wait(lastsS - 1);
    expect(sent("http://shop.example/")).toBe("a=1");
    wait(2);
    expect(sent("http://shop.example/")).toBe(isEnding ? null : "a=1");
  });

  test("however often it is sent", () => {
    const { set, sent, wait } = visitor();
    set("http://shop.example/", "a=1; Max-Age=10");
    for (let second = 1; second < 10; second++) {
      wait(1);
      expect(sent("http://shop.example/")).toBe("a=1");
    }
    wait(1);
    expect(sent("http://shop.example/")).toBeNull();
  });

  test("when it is set with an expiry in the past", () => {
    const { set, sent } = visitor();
    set("http://shop.example/", "a=1", "b=2");
    set("http://shop.example/x", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
    expect(sent("http://shop.example/")).toBe("b=2");
    set("http://shop.example/", "b=; Max-Age=-1");
    expect(sent("http://shop.example/")).toBeNull();
  });
});

describe("of several cookies", () => {
  test("longer paths come first, then older ones; a new value does not make one younger", () => {
    const { set, sent } = visitor();
    set("http://shop.example/", "a=1; Path=/", "b=2; Path=/", "c=3; Path=/x/y", "d=4; Path=/x");
    set("http://shop.example/", "a=5; Path=/");
    expect(sent("http://shop.example/x/y")).toBe("c=3; d=4; a=5; b=2");
  });

  test("those of one name are separate if path, domain or host-only differ", () => {
    const { set, sent } = visitor();
    set("http://www.shop.example/", "a=1; Path=/x", "a=2; Path=/", "a=3; Path=/; Domain=shop.example");
    expect(sent("http://www.shop.example/x")).toBe("a=1; a=2; a=3");
    set("http://www.shop.example/", "a=4; Path=/; Domain=www.shop.example");
    expect(sent("http://www.shop.example/")).toBe("a=2; a=3; a=4");
  });

  test("none is visible to another visitor, and a new visitor has none", () => {
    const [one, other] = [visitor(), visitor()];
    one.set("http://shop.example/", "a=1");
    expect(other.sent("http://shop.example/")).toBeNull();
    one.cookies.clear();
    expect(one.sent("http://shop.example/")).toBeNull();
    one.set("http://shop.example/", "a=2");
    expect(one.sent("http://shop.example/")).toBe("a=2");
  });
});

/** Any text in a header, made mostly of the parts of cookies. */
const headerText = fc
  .array(
    fc.oneof(
      fc.constantFrom("a=1", "=", ";", "; ", '"', ",", " ", "\t", "\u007f", "\u0000", "\u00e9"),
      fc.constantFrom(
        "Domain=",
        "shop.example",
        "Path=",
        "/",
        "Max-Age=",
        "Expires=",
        "99999999999",
        "Secure",
        "__Host-",
      ),
      fc.string({ unit: "binary-ascii", maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

describe("whatever a server sets", () => {
  test("nothing is thrown, and only characters that a header can carry are sent", () => {
    fc.assert(
      fc.property(fc.array(headerText, { maxLength: 4 }), (lines) => {
        const { set, sent } = visitor();
        set("https://www.shop.example/a/b?c", ...lines);
        expect(sent("https://www.shop.example/a/b") ?? "none").toMatch(/^[\t\x20-\x7e\x80-\xff]+$/);
      }),
      { numRuns: 1000 },
    );
  });
});
