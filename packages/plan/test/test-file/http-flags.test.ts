import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedHttp } from "../../src/http-options/validated-http.ts";
import { readHttpFlags, type WrittenHttp, overrideHttp } from "../../src/test-file/http-flags.ts";

function problemsOf(written: WrittenHttp): string[] {
  const problems: string[] = [];
  readHttpFlags(written, problems);
  return problems;
}

function overridden(http: Partial<ValidatedHttp>, written: WrittenHttp): ValidatedHttp {
  const problems: string[] = [];
  const made = overrideHttp({ ...defaultHttp, ...http }, readHttpFlags(written, problems));
  expect(problems).toEqual([]);
  return made;
}

describe("the HTTP options of the command line", () => {
  test.for([
    ["404", [[404, 404]]],
    [
      "2xx,404",
      [
        [200, 299],
        [404, 404],
      ],
    ],
    [
      " 200-299 , 3XX",
      [
        [200, 299],
        [300, 399],
      ],
    ],
    ["2xx-3xx", [[200, 399]]],
  ] as const)("--expect %j replaces the statuses that are not failures", ([text, ranges]) => {
    const expected = ranges.map(([min, max]) => ({ min, max }));
    const before = { expect: [{ min: 500, max: 500 }] };
    expect(overridden(before, { expect: text }).expect).toEqual(expected);
  });

  test.for(["", "40", "4x4", "299-200", "2xx 404", "abc", "99", "1000"])("--expect %j is refused", (text) => {
    expect(problemsOf({ expect: text })).toEqual([
      `--expect: must be statuses such as 404, 2xx or 200-299, with commas between them, but is "${text}".`,
    ]);
  });

  test("change nothing if none is given", () => {
    expect(overridden({ proxy: "http://proxy.example", cookies: "vu" }, {})).toEqual({
      ...defaultHttp,
      proxy: "http://proxy.example",
      cookies: "vu",
    });
  });

  test("replace the test's own options, and leave the rest", () => {
    const tls = { ...defaultHttp.tls, ca: ["old.pem"], cert: "cert.pem", key: "key.pem" };
    const timeout = { connectMs: 500, firstByteMs: null, wholeMs: 1000 };
    const hosts = { "shop.example": ["10.0.0.1"], "api.example": ["10.0.0.2"] };
    expect(
      overridden(
        { tls, timeout, hosts, protocol: "http1" },
        {
          insecure: true,
          ca: "new.pem",
          protocol: "http2",
          transport: "undici",
          timeout: "5s",
          discardBodies: true,
          traceparent: true,
          resolve: ["SHOP.example=127.0.0.1", "shop.example=::1", "new.example=10.0.0.3"],
        },
      ),
    ).toEqual({
      ...defaultHttp,
      protocol: "http2",
      transport: "undici",
      discardBodies: true,
      traceparent: true,
      timeout: { connectMs: 500, firstByteMs: null, wholeMs: 5000 },
      hosts: {
        "shop.example": ["127.0.0.1", "::1"],
        "api.example": ["10.0.0.2"],
        "new.example": ["10.0.0.3"],
      },
      tls: { ...tls, ca: ["new.pem"], insecureSkipTlsVerify: true },
    });
  });

  test("map a host to another address, on one port or on all, whatever the test sets for it", () => {
    const hosts = {
      "shop.example:443": ["10.0.0.1:8443"],
      "api.example:80": ["10.0.0.2"],
      "api.example": ["10.0.0.3"],
    };
    const { hosts: mapped } = overridden(
      { hosts },
      { resolve: ["shop.example=127.0.0.1", "Api.example:080=[::1]:8080"] },
    );
    expect(mapped).toEqual({
      "shop.example": ["127.0.0.1"],
      "api.example:80": ["[::1]:8080"],
      "api.example": ["10.0.0.3"],
    });
  });

  test("map a host to other addresses as curl's --resolve does", () => {
    const resolve = ["shop.example:443:10.0.0.1,10.0.0.2", "+api.example:80:[::1]"];
    expect(overridden({}, { resolve }).hosts).toEqual({
      "shop.example:443": ["10.0.0.1", "10.0.0.2"],
      "api.example:80": ["[::1]"],
    });
  });

  test("limit the streams and requests of a connection", () => {
    expect(overridden({}, { maxConcurrentStreams: "7", maxRequestsPerConnection: "100" })).toMatchObject({
      maxConcurrentStreams: 7,
      maxRequestsPerConnection: 100,
      connections: "perVu",
    });
    expect(overridden({ connections: "shared" }, { noKeepAlive: true }).connections).toBe("perRequest");
  });

  test("replace the test's way of connecting, such as a proxy, with another one", () => {
    const { unixSocket, proxy, localAddresses } = overridden(
      { proxy: "http://proxy.example", localAddresses: ["127.0.0.2"] },
      { unixSocket: "/run/shop.sock" },
    );
    expect({ unixSocket, proxy, localAddresses }).toEqual({
      unixSocket: "/run/shop.sock",
      proxy: null,
      localAddresses: [],
    });
    expect(
      overridden({ unixSocket: "/run/shop.sock" }, { proxy: "http://proxy.example:3128" }),
    ).toMatchObject({
      unixSocket: null,
      proxy: "http://proxy.example:3128",
    });
  });

  test.each([
    [{ protocol: "h3" }, '--protocol: must be one of "auto", "http1", "http2", "h2c", but is "h3".'],
    [{ timeout: "0s" }, '--timeout: must be longer than 0, but is "0s".'],
    [
      { proxy: "http://ann:swordfish@" },
      '--proxy: must be an address such as "http://user:password@proxy.example:3128" (or https, socks5, socks5h), without path and query.',
    ],
    [
      { resolve: ["shop.example"] },
      "--resolve shop.example: must be written HOST=ADDRESS, or HOST:PORT:ADDRESS as for curl.",
    ],
    [
      { resolve: ["shop.example=localhost"] },
      '--resolve shop.example=localhost: the address must be an IP address such as "127.0.0.1" or "::1", or one with a port such as "127.0.0.1:8443" or "[::1]:8443".',
    ],
    [
      { resolve: ["10.0.0.1=10.0.0.2"] },
      "--resolve 10.0.0.1=10.0.0.2: the host is an IP address: use a host name.",
    ],
    [{ maxConcurrentStreams: "many" }, '--max-concurrent-streams: must be a number, but is "many".'],
    [{ maxRequestsPerConnection: "0" }, "--max-requests-per-connection: must be 1 or more, but is 0."],
    [
      { maxRequestsPerConnection: "5", noKeepAlive: true },
      "--max-requests-per-connection, --no-keep-alive: cannot be combined: without keep-alive it is 1. Remove one of them.",
    ],
    [{ maxConnectionAge: "0s" }, '--max-connection-age: must be longer than 0, but is "0s".'],
    [
      { maxConnectionAge: "30s", noKeepAlive: true },
      "--max-connection-age, --no-keep-alive: cannot be combined: without keep-alive no connection gets old. Remove one of them.",
    ],
    [
      { maxConcurrentStreams: "5", protocol: "http1" },
      "--max-concurrent-streams: is only for HTTP/2, but --protocol is http1. Remove one of them.",
    ],
    [
      { proxy: "http://proxy.example", unixSocket: "/run/shop.sock" },
      "--proxy, --unix-socket: cannot be combined. Remove one of them.",
    ],
    [
      { resolve: ["shop.example=10.0.0.1"], unixSocket: "/run/shop.sock" },
      "--resolve, --unix-socket: cannot be combined: connections to a socket look up no host. Remove one of them.",
    ],
  ] as const)("%j: %s", (written, sentence) => {
    expect(problemsOf(written)).toEqual([sentence]);
  });
});
