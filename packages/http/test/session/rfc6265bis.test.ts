import { describe, expect, test } from "vitest";

import { Cookies } from "../../src/session/cookies.ts";

type Row = readonly [
  what: string,
  set: readonly (readonly [from: string, ...lines: string[]])[],
  to: string,
  sent: string | null,
];

const http = "http://shop.example/";
const https = "https://shop.example/";

/** The rules of RFC 6265bis that browsers follow, by its sections. */
const parsing: readonly Row[] = [
  ["a tab within a value", [[http, "a=1\t2"]], http, "a=1\t2"],
  ["tabs and spaces around name and value", [[http, "\t a \t=\t 1 \t; Path=/"]], http, "a=1"],
  ["a space within a name", [[http, "a b=1"]], http, "a b=1"],
  ["a control character in the value", [[http, "a=1\u00012"]], http, null],
  ["a control character in an attribute", [[http, "a=1; Path=/\u0001"]], http, null],
  ["DEL", [[http, "a=1\u007f"]], http, null],
  ["NUL", [[http, "a=1\u0000; Path=/"]], http, null],
  ["no equals sign", [[http, "bare"]], http, "bare"],
  ["an equals sign first", [[http, "=bare"]], http, "bare"],
  ["two equals signs, of which one is first", [[http, "=a=1", "a=2"]], http, "a=1; a=2"],
  ["no name and no value", [[http, "=", ";", " = ; Path=/"]], http, null],
  ["no value", [[http, "a="]], http, "a="],
  ["a comma, quotes and equals signs", [[http, 'a="1,2==";b']], http, 'a="1,2=="'],
  ["attributes in any case", [[https, "a=1; sEcUrE; pAtH=/"]], http, null],
  ["a value for Secure", [[https, "a=1; Secure=false"]], http, null],
  ["an unknown attribute", [[http, "a=1; Partitioned-ish=yes"]], http, "a=1"],
  ["the last of two paths", [[http, "a=1; Path=/x; Path=/"]], http, "a=1"],
  ["a path that begins without a slash", [["http://shop.example/x/y", "a=1; Path=z"]], `${http}x/z`, "a=1"],
  ["the last of two domains", [[http, "a=1; Domain=other.example; Domain=shop.example"]], http, "a=1"],
  ["an empty domain after another", [[http, "a=1; Domain=other.example; Domain="]], http, "a=1"],
  ["one dot before a domain", [[http, "a=1; Domain=.shop.example"]], "http://www.shop.example/", "a=1"],
  ["two dots before a domain", [[http, "a=1; Domain=..shop.example"]], http, null],
  ["a dot after a domain", [[http, "a=1; Domain=shop.example."]], http, null],
  ["an invalid Max-Age", [[http, "a=1; Max-Age=1x"]], http, "a=1"],
  ["an empty Max-Age", [[http, "a=1; Max-Age="]], http, "a=1"],
  ["Max-Age before Expires", [[http, "a=1; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]], http, "a=1"],
];

const prefixes: readonly Row[] = [
  ["__Secure- with Secure", [[https, "__Secure-a=1; Secure"]], https, "__Secure-a=1"],
  ["__Secure- without it", [[https, "__Secure-a=1"]], https, null],
  ["__SeCuRe- without Secure", [[https, "__SeCuRe-a=1"]], https, null],
  ["__SeCuRe- with Secure", [[https, "__SeCuRe-a=1; Secure"]], https, "__SeCuRe-a=1"],
  ["__Host- with all that it requires", [[https, "__Host-a=1; Secure; Path=/"]], https, "__Host-a=1"],
  ["__HoSt- with a domain", [[https, "__HoSt-a=1; Secure; Path=/; Domain=shop.example"]], https, null],
  ["__host- below the root", [[https, "__host-a=1; Secure; Path=/x"]], `${https}x`, null],
  ["__HOST- without a path", [[https, "__HOST-a=1; Secure"]], https, null],
  ["no name, and a value like __Secure-a=1", [[https, "=__Secure-a=1; Secure"]], https, null],
  ["no equals sign, and a value like __host-a", [[https, "__host-a; Secure; Path=/"]], https, null],
  ["another letter before a prefix", [[http, "a__Host-=1"]], http, "a__Host-=1"],
];

const secure = [https, "a=1; Secure"] as const;
const afterSecure: readonly Row[] = [
  ["does not replace it without TLS", [secure, [http, "a=2"]], https, "a=1"],
  [
    "of a subdomain is refused without TLS, if the domain's is Secure",
    [
      [https, "a=1; Secure; Domain=shop.example"],
      ["http://www.shop.example/", "a=2"],
    ],
    "https://www.shop.example/",
    "a=1",
  ],
  [
    "of the domain is not sent to a subdomain with a Secure one, if set without TLS",
    [
      ["https://www.shop.example/", "a=1; Secure"],
      [http, "a=2; Domain=shop.example"],
    ],
    "https://www.shop.example/",
    "a=1",
  ],
  [
    "at a longer path is refused without TLS",
    [
      [https, "a=1; Secure; Path=/x"],
      [http, "a=2; Path=/x/y"],
    ],
    `${https}x/y`,
    "a=1",
  ],
  ["does not remove it without TLS", [secure, [http, "a=; Max-Age=0"]], https, "a=1"],
  [
    "at a shorter path is kept beside it",
    [
      [https, "a=1; Secure; Path=/x"],
      [http, "a=2; Path=/"],
    ],
    `${https}x`,
    "a=1; a=2",
  ],
  ["with another name is kept beside it", [secure, [http, "b=2"]], https, "a=1; b=2"],
  [
    "replaces it after it has expired",
    [
      [https, "a=1; Secure", "a=; Secure; Max-Age=0"],
      [http, "a=2"],
    ],
    https,
    "a=2",
  ],
  ["replaces it with TLS", [secure, [https, "a=2"]], http, "a=2"],
  [
    "replaces it on localhost, which counts as secure",
    [["http://localhost/", "a=1; Secure", "a=2"]],
    "http://localhost/",
    "a=2",
  ],
];

function sentAfter(set: Row[1], to: string): string | null {
  const cookies = new Cookies({ date: () => new Date(Date.UTC(2026, 0, 1)) });
  for (const [from, ...lines] of set) cookies.store(new URL(from), lines);
  return cookies.header(new URL(to));
}

describe("a set-cookie line with", () => {
  test.each(parsing)("%s", (_what, set, to, sent) => {
    expect(sentAfter(set, to)).toBe(sent);
  });
});

describe("a name that begins with", () => {
  test.each(prefixes)("%s", (_what, set, to, sent) => {
    expect(sentAfter(set, to)).toBe(sent);
  });
});

describe("a cookie that is set after a Secure one", () => {
  test.each(afterSecure)("%s", (_what, set, to, sent) => {
    expect(sentAfter(set, to)).toBe(sent);
  });
});
