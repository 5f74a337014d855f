import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyProblem } from "../../src/http-options/http-rules.ts";
import { messagesOf } from "../validation/messages-of.ts";

function told(proxy: string): string[] {
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
  ])("may be %s", (proxy) => {
    expect(told(proxy)).toEqual([]);
  });

  test.for([
    "",
    "proxy.example:3128",
    "socks4://proxy.example",
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
  ])("may not be %j, which is not shown: it may hold a password", (proxy) => {
    expect(told(proxy)).toEqual([
      'http.proxy must be an address such as "http://user:password@proxy.example:3128" (or https, socks5, socks5h), without path and query.',
    ]);
  });

  test("has user and password that can be decoded", () => {
    expect(told("http://ann:50%@proxy")).toEqual([
      "http.proxy must have its user and password percent-encoded: a % itself is %25.",
    ]);
  });

  test("for SOCKS5 has a user and password that fit", () => {
    expect(told(`socks5://${"%C3%A4".repeat(127)}:x@proxy`)).toEqual([]);
    expect(told(`socks5://${"%C3%A4".repeat(128)}:x@proxy`)).toEqual([
      "http.proxy must have a user and a password of at most 255 bytes each, as SOCKS5 has.",
    ]);
  });

  test("that is accepted can be taken apart, and its password decoded", () => {
    const rest = fc.stringMatching(/^[ab%2F.:@[\]\\0-]{0,20}(?:@|)[ab.:0[\]-]{1,12}$/);
    fc.assert(
      fc.property(rest, (text) => {
        const proxy = `http://${text}`;
        if (proxyProblem(proxy) !== undefined) return;
        const { protocol, pathname, search, password } = new URL(proxy);
        expect([protocol, pathname, search]).toEqual(["http:", "/", ""]);
        expect(encodeURIComponent(decodeURIComponent(password)).length).toBeGreaterThanOrEqual(
          password.length,
        );
      }),
      { seed: 5, numRuns: 5000 },
    );
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

  test("have no port", () => {
    expect(problemsOf(["shop.example:8080"])).toEqual([
      'http.noProxy[0] must be a host such as "shop.example", an address, a network such as "10.0.0.0/8", or "*"; ports are not possible.',
    ]);
  });
});
