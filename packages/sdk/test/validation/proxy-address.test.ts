import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyProblem } from "../../src/index.ts";
import { messagesOf } from "./messages-of.ts";

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
  ])("may be %s", (proxy) => {
    expect(told(proxy)).toEqual([]);
  });

  test.for([
    "",
    "proxy.example:3128",
    "socks5://proxy.example",
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
      'http.proxy must be an address such as "http://user:password@proxy.example:3128", without path and query.',
    ]);
  });

  test("has user and password that can be decoded", () => {
    expect(told("http://ann:50%@proxy")).toEqual([
      "http.proxy must have its user and password percent-encoded: a % itself is %25.",
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
