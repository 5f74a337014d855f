import { describe, expect, test } from "vitest";
import { askFor, askForPage, hosts, keptOf, patterns, reasonsOf, select } from "./timed-entries.ts";

const home = askForPage("https://www.shop.example/");

describe("--hosts", () => {
  const partner = askFor("https://api.partner.com/stock");
  const secured = askFor("https://api.partner.com:8443/stock");
  const cdn = askFor("https://a.b.cdn.net/x.js");
  const entries = [home, partner, secured, cdn, askFor("https://cdn.net/"), askFor("https://evilcdn.net/")];

  test("one host by its name, on every port", () => {
    expect(keptOf(entries, { hosts: hosts("api.partner.com") })).toEqual([
      "https://www.shop.example/",
      "https://api.partner.com/stock",
      "https://api.partner.com:8443/stock",
    ]);
  });

  test("one port of it", () => {
    expect(keptOf(entries, { hosts: hosts("API.partner.com:8443") })).toHaveLength(2);
    expect(keptOf(entries, { hosts: hosts("api.partner.com:443") })).toEqual([
      "https://www.shop.example/",
      "https://api.partner.com/stock",
    ]);
  });

  test("what is below a name, at any depth, and not the name itself or one that only ends so", () => {
    expect(keptOf(entries, { hosts: hosts("*.cdn.net") }).slice(1)).toEqual(["https://a.b.cdn.net/x.js"]);
  });

  test("all there are, but no analytics, unless by the full name", () => {
    const tracker = askFor("https://www.google-analytics.com/g/collect?v=2&tid=G-1");
    expect(reasonsOf([home, partner, tracker], { hosts: hosts("*") })).toEqual([
      null,
      null,
      "analytics or advertising",
    ]);
    const named = { hosts: hosts("*", "www.google-analytics.com") };
    expect(reasonsOf([home, partner, tracker], named)).toEqual([null, null, null]);
  });

  test("the first party's own, in full, to have its analytics as well", () => {
    const own = askFor("https://www.shop.example/matomo.php?idsite=1");
    expect(reasonsOf([home, own])).toEqual([null, "analytics or advertising"]);
    expect(reasonsOf([home, own], { hosts: hosts("www.shop.example") })).toEqual([null, null]);
  });

  test("names beyond ASCII, and addresses", () => {
    const odd = [home, askFor("https://m\u00fcnchen.example/"), askFor("http://[::1]:8080/")];
    expect(keptOf(odd, { hosts: hosts("m\u00fcnchen.example", "[::1]") })).toHaveLength(3);
  });
});

test("--skip-hosts leaves out hosts of the first party, and beats --hosts", () => {
  const images = askFor("https://img.shop.example/a.png");
  const partner = askFor("https://api.partner.com/");
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

test("--only keeps what matches one of its patterns, and --skip takes from that", () => {
  const entries = [
    home,
    askFor("https://www.shop.example/api/cart"),
    askFor("https://www.shop.example/api/cart/old"),
    askFor("https://www.shop.example/logo.png"),
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

test("--static drop leaves the documents and what scripts call", () => {
  const entries = [
    home,
    ...["a.css", "a.png", "a.woff2", "a.js", "a.mp4"].map((file) =>
      askFor(`https://www.shop.example/${file}`),
    ),
    askFor("https://www.shop.example/api/cart", { resourceType: "fetch" }),
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
