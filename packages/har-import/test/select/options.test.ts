import { describe, expect, test } from "vitest";
import { entryFor, pageEntry, hosts, keptOf, patterns, reasonsOf, select } from "./timed-entries.ts";

const home = pageEntry("https://www.shop.example/");

describe("--hosts", () => {
  const partner = entryFor("https://api.partner.com/stock");
  const secured = entryFor("https://api.partner.com:8443/stock");
  const cdn = entryFor("https://a.b.cdn.net/x.js");
  const entries = [
    home,
    partner,
    secured,
    cdn,
    entryFor("https://cdn.net/"),
    entryFor("https://evilcdn.net/"),
  ];

  test("a name selects a host on every port", () => {
    expect(keptOf(entries, { hosts: hosts("api.partner.com") })).toEqual([
      "https://www.shop.example/",
      "https://api.partner.com/stock",
      "https://api.partner.com:8443/stock",
    ]);
  });

  test("a name with a port selects that port only", () => {
    expect(keptOf(entries, { hosts: hosts("API.partner.com:8443") })).toHaveLength(2);
    expect(keptOf(entries, { hosts: hosts("api.partner.com:443") })).toEqual([
      "https://www.shop.example/",
      "https://api.partner.com/stock",
    ]);
  });

  test("a wildcard selects subdomains at any depth, but not the domain itself or a longer name with the same end", () => {
    expect(keptOf(entries, { hosts: hosts("*.cdn.net") }).slice(1)).toEqual(["https://a.b.cdn.net/x.js"]);
  });

  test("* selects all hosts, but analytics only if named in full", () => {
    const tracker = entryFor("https://www.google-analytics.com/g/collect?v=2&tid=G-1");
    expect(reasonsOf([home, partner, tracker], { hosts: hosts("*") })).toEqual([
      null,
      null,
      "analytics or advertising",
    ]);
    const named = { hosts: hosts("*", "www.google-analytics.com") };
    expect(reasonsOf([home, partner, tracker], named)).toEqual([null, null, null]);
  });

  test("a host of the site, named in full, is kept with its analytics", () => {
    const own = entryFor("https://www.shop.example/matomo.php?idsite=1");
    expect(reasonsOf([home, own])).toEqual([null, "analytics or advertising"]);
    expect(reasonsOf([home, own], { hosts: hosts("www.shop.example") })).toEqual([null, null]);
  });

  test("names beyond ASCII and IP addresses are accepted", () => {
    const odd = [home, entryFor("https://m\u00fcnchen.example/"), entryFor("http://[::1]:8080/")];
    expect(keptOf(odd, { hosts: hosts("m\u00fcnchen.example", "[::1]") })).toHaveLength(3);
  });
});

test("--skip-hosts omits hosts of the first party, and overrides --hosts", () => {
  const images = entryFor("https://img.shop.example/a.png");
  const partner = entryFor("https://api.partner.com/");
  const options = {
    hosts: hosts("api.partner.com"),
    skipHosts: hosts("img.shop.example", "api.partner.com"),
  };
  expect(reasonsOf([home, images, partner], options)).toEqual([
    null,
    "host skipped (--skip-hosts)",
    "host skipped (--skip-hosts)",
  ]);
});

test("--only keeps requests that match one of its patterns, and --skip removes some of those", () => {
  const entries = [
    home,
    entryFor("https://www.shop.example/api/cart"),
    entryFor("https://www.shop.example/api/cart/old"),
    entryFor("https://www.shop.example/logo.png"),
  ];
  const { kept, omissions, origin } = select(entries, {
    only: patterns("/api/*"),
    skip: patterns("*/old"),
  });
  expect(kept.map(({ url }) => url.pathname)).toEqual(["/api/cart"]);
  expect(omissions.map(({ reason }) => reason)).toEqual([
    "not matched (--only)",
    "skipped (--skip)",
    "not matched (--only)",
  ]);
  expect(origin).toBe("https://www.shop.example");
});

test("--static drop keeps documents and calls from scripts", () => {
  const entries = [
    home,
    ...["a.css", "a.png", "a.woff2", "a.js", "a.mp4"].map((file) =>
      entryFor(`https://www.shop.example/${file}`),
    ),
    entryFor("https://www.shop.example/api/cart", { resourceType: "fetch" }),
  ];
  expect(reasonsOf(entries, { static: "keep" })).toEqual(entries.map(() => null));
  expect(reasonsOf(entries, { static: "drop" })).toEqual([
    null,
    ...Array<string>(5).fill("static file (--static drop)"),
    null,
  ]);
});

test("an option that has no effect is noted", () => {
  const options = {
    hosts: hosts("api.partner.com", "*.shop.example"),
    skipHosts: hosts("nobody.test"),
    only: patterns("type:document", "/Api/*"),
    skip: patterns("*.exe"),
  };
  expect(select([home], options).notes).toEqual([
    "--hosts api.partner.com: the capture has no request to a matching host.",
    "--skip-hosts nobody.test: the capture has no request to a matching host.",
    "--only /Api/*: no request in the capture matches.",
    "--skip *.exe: no request in the capture matches.",
  ]);
});
