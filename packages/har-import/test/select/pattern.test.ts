import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesGlob, matchesPattern, parseHostPattern, parsePattern } from "../../src/select/pattern.ts";
import { entryFor, patterns } from "./timed-entries.ts";

function matches(text: string, url: string): boolean {
  return patterns(text).every((pattern) => matchesPattern(pattern, entryFor(url), new URL(url)));
}

test.each([
  ["/api/*", "https://shop.test/api/cart", true],
  ["/api/*", "https://shop.test/api/a/b?q=1", true],
  ["/api/*", "https://shop.test/apis/a", false],
  ["/api/*", "https://shop.test/v1/api/a", false],
  ["/api", "https://shop.test/api?q=1", true],
  ["/api", "https://shop.test/api/", false],
  ["/", "https://shop.test/", true],
  ["/*/edit", "https://shop.test/users/7/edit", true],
  ["/search?q=*", "https://shop.test/search?q=shoes", true],
  ["/search?q=*", "https://shop.test/search?page=2", false],
  ["/caf\u00e9/*", "https://shop.test/caf%C3%A9/menu", true],
  ["/caf%C3%A9/*", "https://shop.test/caf%C3%A9/menu", true],
  ["/%E0%A4/*", "https://shop.test/%E0%A4/a", true],
  ["*.png", "https://shop.test/img/logo.png?v=3", true],
  ["*.png", "https://shop.test/logo.png.js", false],
  ["logo.*", "https://shop.test/img/logo.png", true],
  ["logo.*", "https://shop.test/logo.d/x", false],
  ["https://shop.test/*", "https://shop.test/a", true],
  ["https://shop.test", "https://shop.test/a/b", true],
  ["HTTPS://Shop.TEST/A*", "https://shop.test/Ab", true],
  ["https://*.shop.test/*", "https://img.shop.test/a", true],
  ["https://*.shop.test/*", "https://shop.test/a", false],
  ["http://shop.test/*", "https://shop.test/a", false],
  ["*://shop.test/a", "https://shop.test/a", true],
])("pattern %s, URL %s: match is %s", (text, url, expected) => {
  expect(matches(text, url)).toBe(expected);
});

describe("an invalid pattern is rejected with a list of valid forms", () => {
  const shapes = "must be a path (/api/*), a URL (https://host/*), a file (*.png) or type:image";
  test.each(["", " ", "api/*", "a b", "https://", "shop.test/*", "?q=1", "ftp://shop.test/"])(
    "%j",
    (text) => {
      expect(parsePattern(text)).toEqual({ problem: shapes });
    },
  );

  test.each(["type:", "type:img", "type:Image", "type:constructor"])("%j", (text) => {
    expect(parsePattern(text)).toEqual({
      problem:
        "must be one of type:document, stylesheet, image, font, script, media, xhr, websocket, other, fetch",
    });
  });

  test.each([
    "",
    " ",
    "https://api.partner.com",
    "api.partner.com/",
    "a b",
    "*.",
    "a.*",
    "a:99999",
    "u@host",
    "%41.com",
    "a,b c",
    "a?b",
    "#",
    "[::1",
    "\u0000",
  ])("host %j", (text) => {
    expect(parseHostPattern(text)).toEqual({
      problem: "must be a host such as api.partner.com, api.partner.com:8443 or *.cdn.net",
    });
  });
});

test("a glob matches a text exactly if the equivalent regular expression does", () => {
  const piece = fc.stringMatching(/^[ab]{0,3}$/);
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.stringMatching(/^[ab]{0,12}$/),
      (pieces, text) => {
        const expression = new RegExp(`^${pieces.join(".*")}$`);
        expect(matchesGlob(pieces.join("*"), text)).toBe(expression.test(text));
      },
    ),
  );
});

test("a pattern that nearly matches 200 KB at every place is tested in less than 2 s of CPU time", () => {
  const usage = process.cpuUsage();
  expect(matchesGlob("*a".repeat(1000) + "*b", "a".repeat(200_000))).toBe(false);
  expect(process.cpuUsage(usage).user).toBeLessThan(2_000_000);
});
