import { describe, expect, test } from "vitest";

import { Cookies, maxCookies, maxCookiesOfSite, withinLimits } from "../../src/session/cookies.ts";
import type { KeptCookie } from "../../src/session/cookie-rules.ts";

const cookie = (name: string, domain: string, usedAtMs: number, expiresAtMs = Infinity): KeptCookie => ({
  name,
  value: "",
  domain,
  path: "/",
  isHostOnly: true,
  isSecure: false,
  expiresAtMs,
  usedAtMs,
});

const many = (count: number, domain: (index: number) => string): KeptCookie[] =>
  Array.from({ length: count }, (_, index) => cookie(`c${index}`, domain(index), index));

describe("of too many cookies", () => {
  test("the least recently used of a site are dropped, whatever its hosts", () => {
    const cookies = many(maxCookiesOfSite + 5, (index) => `h${index % 7}.shop.example`).toReversed();
    const left = withinLimits([...cookies, cookie("other", "other.example", 0)], 0);
    expect(left.map(({ name }) => name)).toEqual([
      ...cookies.slice(0, maxCookiesOfSite).map(({ name }) => name),
      "other",
    ]);
  });

  test("the least recently used of all are dropped", () => {
    const left = withinLimits(
      many(maxCookies + 10, (index) => `site${index % 20}.example`),
      0,
    );
    expect(left).toHaveLength(maxCookies);
    expect(left[0]?.name).toBe("c10");
  });

  test("expired ones are dropped first, and none that is within the limits", () => {
    const live = many(maxCookiesOfSite, () => "shop.example");
    const ended = [cookie("ended", "shop.example", 1e9, 5), cookie("ending", "shop.example", 1e9, 10)];
    expect(withinLimits([...ended, ...live], 10)).toEqual(live);
  });
});

describe("a target that sets thousands of cookies", () => {
  const url = new URL("http://www.shop.example/");

  test("fills a visitor's jar no further than a browser's, whether at once or one by one", () => {
    let nowMs = 0;
    const cookies = new Cookies({ date: () => new Date(nowMs) });
    const names = Array.from({ length: 2000 }, (_, index) => `c${index}=${"x".repeat(20)}`);
    cookies.store(url, names.slice(0, 1000));
    for (const line of names.slice(1000)) {
      nowMs++;
      cookies.store(url, [line]);
    }
    const sent = cookies.sentTo(url).map(({ name }) => name);
    expect(sent).toEqual(names.slice(-maxCookiesOfSite).map((line) => line.split("=")[0]));
  });

  test("does not push out the cookie that is sent with every request", () => {
    let nowMs = 0;
    const cookies = new Cookies({ date: () => new Date(nowMs) });
    cookies.store(url, ["session=1; Path=/used"]);
    for (let index = 0; index < 500; index++) {
      nowMs++;
      cookies.header(new URL("http://www.shop.example/used"));
      cookies.store(url, [`c${index}=1; Path=/other`]);
    }
    expect(cookies.header(new URL("http://www.shop.example/used"))).toBe("session=1");
    expect(cookies.sentTo(new URL("http://www.shop.example/other"))).toHaveLength(maxCookiesOfSite - 1);
  });

  test("from many hosts of many sites is limited to 3,000 in all", () => {
    const cookies = new Cookies({ date: () => new Date(0) });
    const hosts = Array.from({ length: 40 }, (_, index) => new URL(`http://www.site${index}.example/`));
    for (const host of hosts)
      cookies.store(
        host,
        Array.from({ length: 100 }, (_, index) => `c${index}=1`),
      );
    expect(hosts.reduce((sum, host) => sum + cookies.sentTo(host).length, 0)).toBe(maxCookies);
    expect(cookies.header(hosts[0]!)).toBeNull();
  });
});
