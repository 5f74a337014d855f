import { describe, expect, test } from "vitest";
import { messagesOf } from "../definition/messages-of.ts";

const exec = (): void => undefined;
const scenarios = { readers: { executor: "shared-iterations", exec } };

function httpMessages(http: unknown): string[] {
  return messagesOf({ http, scenarios });
}

describe("a contradiction between options of http", () => {
  test.for([
    [{ headers: { host: ["a.example", "b.example"] } }, "http.headers.host can be given only once."],
    [{ headers: { Host: "a", host: "b" } }, "http.headers.host can be given only once."],
    [{ headers: { "Content-Type": ["a/b", "c/d"] } }, "http.headers.Content-Type can be given only once."],
    [
      { protocol: "http1", maxConcurrentStreams: 5 },
      'http.maxConcurrentStreams is only for HTTP/2, but the protocol is "http1".',
    ],
    [
      { pipelining: 2 },
      'http.pipelining needs transport: "undici": bearhug\'s own client has one request at a time on an HTTP/1.1 connection.',
    ],
    [
      { pipelining: 2, transport: "undici", protocol: "h2c" },
      'http.pipelining is only for HTTP/1.1, but the protocol is "h2c": use maxConcurrentStreams.',
    ],
    [
      { protocol: "http2", tls: { minVersion: "1.0", maxVersion: "1.1" } },
      'http.protocol can\'t be "http2" where tls.maxVersion is "1.1": HTTP/2 needs TLS 1.2 or later.',
    ],
    [
      { unixSocket: "/run/a.sock", proxy: "http://proxy.example" },
      "http.unixSocket can't be combined with proxy: remove one of them.",
    ],
    [
      { unixSocket: "/run/a.sock", localAddresses: ["127.0.0.2"] },
      "http.unixSocket can't be combined with localAddresses, because a socket has no address: remove one of them.",
    ],
    [
      { unixSocket: "/run/a.sock", hosts: { shop: "127.0.0.1" } },
      "http.hosts has no effect with unixSocket: remove one of them.",
    ],
    [
      { unixSocket: "/run/a.sock", dns: { ttl: 0 } },
      "http.dns has no effect with unixSocket: remove one of them.",
    ],
    [
      { connections: "perRequest", maxRequestsPerConnection: 5 },
      'http.maxRequestsPerConnection is always 1 with connections: "perRequest": remove one of them.',
    ],
    [
      { connections: "perRequest", maxConnectionAge: "30s" },
      'http.maxConnectionAge has no effect with connections: "perRequest": remove one of them.',
    ],
  ] as const)("%j: %s", ([http, sentence]) => {
    expect(httpMessages(http)).toEqual([sentence]);
  });

  test("is reported at once, together with options that are wrong by themselves", () => {
    expect(
      messagesOf({
        http: {
          cookies: "never",
          proxy: "http://proxy.example",
          unixSocket: "/run/a.sock",
          tls: { cert: "-----BEGIN CERTIFICATE-----", minVersion: "9" },
          headers: { host: ["a.example", "b.example"], expect: "100-continue" },
          nothing: 1,
        },
        scenarios: {
          readers: { ...scenarios.readers, http: { localAddresses: ["127.0.0.2"], maxBodySize: 0 } },
        },
      }),
    ).toEqual([
      "http.headers.expect: bodies are sent at once, without waiting for 100 Continue.",
      'http.cookies must be one of "iteration", "vu", "off", but is "never".',
      'http.tls.minVersion must be one of "1.0", "1.1", "1.2", "1.3", but is "9".',
      "http.tls.cert needs its key: set tls.key, too.",
      expect.stringContaining("http.nothing is not an option of http"),
      "http.headers.host can be given only once.",
      "http.unixSocket can't be combined with proxy: remove one of them.",
      "scenarios.readers.http.maxBodySize must be 1 or more, but is 0.",
      "scenarios.readers.http.unixSocket can't be combined with localAddresses, because a socket has no address: remove one of them.",
    ]);
  });

  test("is not found in options that only seem to contradict each other", () => {
    for (const http of [
      { connections: "perRequest", maxConnections: 3 },
      { protocol: "h2c", proxy: "http://proxy.example:3128" },
      { protocol: "h2c", tls: { insecureSkipTlsVerify: true } },
      { unixSocket: "/run/a.sock", hosts: {} },
      { headers: { "content-type": "a/b", host: "shop.example", te: "trailers" } },
      { protocol: "http1", tls: { minVersion: "1.0", maxVersion: "1.1" } },
    ]) {
      expect(httpMessages(http)).toEqual([]);
    }
    expect(
      messagesOf({
        http: { hosts: { shop: "127.0.0.1" } },
        scenarios: { readers: { ...scenarios.readers, http: { unixSocket: "/run/a.sock" } } },
      }),
    ).toEqual([]);
    expect(
      messagesOf({
        http: { maxConcurrentStreams: 5 },
        scenarios: { readers: { ...scenarios.readers, http: { protocol: "http1" } } },
      }),
    ).toEqual([]);
  });

  test("is found between an option of a scenario and one of its test", () => {
    expect(
      messagesOf({
        http: { proxy: "http://proxy.example" },
        scenarios: { readers: { ...scenarios.readers, http: { unixSocket: "/run/a.sock" } } },
      }),
    ).toEqual(["scenarios.readers.http.unixSocket can't be combined with proxy: remove one of them."]);
  });
});
