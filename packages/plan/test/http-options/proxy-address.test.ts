import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyProblem, withProxyScheme } from "../../src/http-options/http-rules.ts";
import { defaultHttp, mergeHttp } from "../../src/http-options/option-table.ts";
import { readHttpOptions } from "../../src/http-options/read-http.ts";
import { messagesOf } from "../definition/messages-of.ts";

function proxyMessages(proxy: string): string[] {
  const readers = { executor: "shared-iterations", exec: () => undefined };
  return messagesOf({ http: { proxy }, scenarios: { readers } });
}

describe("a proxy's address", () => {
  test.for([
    "http://proxy.example",
    "http://proxy.example:3128",
    "http://proxy.example:3128/",
    "HTTP://10.0.0.1:1",
    "http://[::1]:65535",
    "http://ann@proxy",
    "http://ann:sword%20fish@proxy:3128",
    "http://ann:p@ss@proxy:3128",
    "https://proxy.example",
    "socks5://ann:sword@proxy.example:1080",
    "SOCKS5H://[::1]",
    "",
    " ",
    "proxy.example:3128",
    "proxy",
    "ann:swordfish@proxy.example:3128/",
    "http://proxy.example:3128 ",
  ])("may be %s", (proxy) => {
    expect(proxyMessages(proxy)).toEqual([]);
  });

  test.for([
    "http://",
    "http://:3128",
    "http://proxy.example:0",
    "http://proxy.example:65536",
    "http://proxy.example/path",
    "http://proxy.example?x",
    "http://proxy.example#x",
    "http://pro xy.example",
    "http://[::1",
    "http://::1:3128",
    "http://ann:swordfish@",
    "http://ann\\:sword@proxy",
  ])("may not be %j, which is not displayed because it may contain a password", (proxy) => {
    expect(proxyMessages(proxy)).toEqual([
      'http.proxy must be an address such as "http://user:password@proxy.example:3128" (or https, socks5, socks5h), without path and query.',
    ]);
  });

  test.for([
    ["socks://127.0.0.1:1080/", 'begins with "socks": use socks5h if the proxy speaks SOCKS5.'],
    ["socks4://ann:swordfish@proxy", 'begins with "socks4": use socks5h if the proxy speaks SOCKS5.'],
    ["ftp://proxy.example", 'begins with "ftp": use http if it is an HTTP proxy.'],
  ] as const)("%s is refused with the scheme to use", ([proxy, end]) => {
    expect(proxyMessages(proxy)).toEqual([
      `http.proxy must begin with http, https, socks5 or socks5h, but ${end}`,
    ]);
  });

  test.for([
    ["proxy.example:3128", "http://proxy.example:3128"],
    [" http://proxy.example ", "http://proxy.example"],
    ["SOCKS5H://[::1]", "SOCKS5H://[::1]"],
    ["", null],
    [undefined, "http://before.example"],
  ] as const)("%j is kept as %j", ([proxy, kept]) => {
    const given = readHttpOptions({ proxy }, (_name, problem) => expect.unreachable(problem));
    expect(mergeHttp({ ...defaultHttp, proxy: "http://before.example" }, given).proxy).toBe(kept);
  });

  test("must have a user and a password that can be decoded", () => {
    expect(proxyMessages("http://ann:50%@proxy")).toEqual([
      "http.proxy must have its user and password percent-encoded: a % itself is %25.",
    ]);
  });

  test("for SOCKS5 must have a user and a password that are short enough", () => {
    expect(proxyMessages(`socks5://${"%C3%A4".repeat(127)}:x@proxy`)).toEqual([]);
    expect(proxyMessages(`socks5://${"%C3%A4".repeat(128)}:x@proxy`)).toEqual([
      "http.proxy must have a user and a password of at most 255 bytes each, as SOCKS5 has.",
    ]);
  });

  test("that is accepted can be parsed, and its password decoded", () => {
    const rest = fc.oneof(
      fc.stringMatching(/^[ab%2F.:@[\]\\0-]{0,20}(?:@|)[ab.:0[\]-]{1,12}$/),
      fc.stringMatching(/^a:(?:[ab.:@[\]]|%2F|%25){1,10}@[ab]{1,8}$/),
    );
    let accepted = 0;
    fc.assert(
      fc.property(rest, (text) => {
        const proxy = text.startsWith("a") ? text : `http://${text}`;
        if (proxyProblem(proxy) !== undefined) return;
        const { protocol, pathname, search, password } = new URL(withProxyScheme(proxy));
        expect([protocol, pathname, search]).toEqual(["http:", "/", ""]);
        const [, written = ""] = /^[^:]*:(.*)$/.exec(text.slice(0, Math.max(0, text.lastIndexOf("@")))) ?? [];
        expect(decodeURIComponent(password)).toBe(decodeURIComponent(written));
        if (written !== "") accepted++;
      }),
      { seed: 5, numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe("hosts that are reached without the proxy", () => {
  function problemsOf(noProxy: unknown): string[] {
    return messagesOf({
      http: { noProxy },
      scenarios: { s: { executor: "shared-iterations", exec: () => undefined } },
    });
  }

  test("are names, addresses, networks, or all, in a list or a text", () => {
    expect(problemsOf(["shop.example", ".internal", "10.0.0.0/8", "::1", "[::1]", "fd00::/8", "*"])).toEqual(
      [],
    );
    expect(problemsOf("localhost, 127.0.0.1,.internal  ::1")).toEqual([]);
    expect(problemsOf("")).toEqual([]);
  });

  test("may be what people have in NO_PROXY", () => {
    expect(
      problemsOf("localhost:8080,*.internal,*.local, 169.254/16,[::1]:80,/var/run/docker.sock,,10.0.0.1:1"),
    ).toEqual([]);
    expect(problemsOf(undefined)).toEqual([]);
  });

  test.for([
    "http://shop.example",
    "shop.*",
    "a;b",
    "<local>",
    "shop.example:0",
    "10.0.0.0/33",
    "*.10.0.0.1",
  ])("may not be %s, which the message displays", (entry) => {
    expect(problemsOf(["localhost", entry])).toEqual([
      `http.noProxy[1] must be a host such as "shop.example", "*.internal" or "localhost:8080", an address, a network such as "10.0.0.0/8", or "*", but is "${entry}".`,
    ]);
  });

  test.for([
    ["192.168.*", "192.168.0.0/16"],
    ["10.", "10.0.0.0/8"],
  ] as const)("given as %s must be written %s", ([entry, network]) => {
    expect(problemsOf(entry)).toEqual([`http.noProxy[0] must be written "${network}", but is "${entry}".`]);
  });
});
