import { describe, expect, test } from "vitest";
import { validateTest } from "../../src/definition/validate-test.ts";
import type { ValidatedTest } from "../../src/definition/validated-test.ts";
import { defaultHttp } from "../../src/http-options/option-table.ts";
import { messagesOf } from "../definition/messages-of.ts";

const certificateText = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const scenarios = { readers: { executor: "shared-iterations", exec: (): void => undefined } };

function validOf(http: unknown, ofScenario?: unknown): ValidatedTest {
  const readers = { ...scenarios.readers, ...(ofScenario === undefined ? {} : { http: ofScenario }) };
  const { test: valid, problems } = validateTest({ http, scenarios: { readers } });
  expect(problems).toEqual([]);
  return valid ?? expect.fail("no test");
}

function httpMessages(http: unknown): string[] {
  return messagesOf({ http, scenarios });
}

describe("the options of http", () => {
  test("are plain data that contains every option", () => {
    const { http } = validOf({
      headers: { "X-One": "1", accept: ["a", "b"] },
      timeout: { connect: "1s", firstByte: 250 },
      discardBodies: true,
      maxBodySize: 1,
      cookies: "vu",
      cache: "browser",
      connections: "shared",
      maxConnections: 3,
      maxRequestsPerConnection: 100,
      maxConnectionAge: "1m30s",
      protocol: "http2",
      transport: "bearhug",
      maxConcurrentStreams: 7,
      tls: {
        ca: "ca.pem",
        cert: "cert.pem",
        key: "key.pem",
        passphrase: "",
        serverName: "shop.example",
        insecureSkipTlsVerify: true,
        minVersion: "1.3",
        ciphers: "TLS_AES_128_GCM_SHA256",
        resumeSessions: false,
      },
      dns: {
        ttl: 0,
        policy: "any",
        select: "first",
        servers: ["10.0.0.2", "127.0.0.1:5353", "[::1]:53", "::1"],
      },
      hosts: { "Shop.Example:0443": "127.0.0.1:8443", api: ["10.0.0.1", "[::1]:8080"] },
      proxy: "http://ann:sword%2Ffish@[::1]:3128/",
      noProxy: "localhost, .internal",
      localAddresses: ["127.0.0.2", "127.0.0.3"],
      auth: { bearer: "token" },
      redirects: 0,
      expect: [{ min: 200, max: 299 }, 404],
      throwOnError: true,
      retryOnStaleConnection: true,
      traceparent: true,
      origin: true,
    });
    expect(structuredClone(http)).toEqual({
      headers: ["X-One", "1", "accept", "a", "accept", "b"],
      timeout: { connectMs: 1000, firstByteMs: 250, wholeMs: 60_000 },
      discardBodies: true,
      maxBodySize: 1,
      cookies: "vu",
      cache: "browser",
      connections: "shared",
      maxConnections: 3,
      maxRequestsPerConnection: 100,
      maxConnectionAge: 90_000,
      protocol: "http2",
      transport: "bearhug",
      pipelining: 1,
      maxConcurrentStreams: 7,
      tls: {
        ca: ["ca.pem"],
        cert: "cert.pem",
        key: "key.pem",
        passphrase: "",
        clients: [],
        serverName: "shop.example",
        insecureSkipTlsVerify: true,
        minVersion: "1.3",
        maxVersion: "1.3",
        ciphers: "TLS_AES_128_GCM_SHA256",
        resumeSessions: false,
      },
      dns: {
        ttlMs: 0,
        policy: "any",
        select: "first",
        servers: ["10.0.0.2", "127.0.0.1:5353", "[::1]:53", "::1"],
      },
      hosts: { "shop.example:443": ["127.0.0.1:8443"], api: ["10.0.0.1", "[::1]:8080"] },
      proxy: "http://ann:sword%2Ffish@[::1]:3128/",
      noProxy: ["localhost", ".internal"],
      unixSocket: null,
      localAddresses: ["127.0.0.2", "127.0.0.3"],
      auth: { bearer: "token" },
      redirects: 0,
      expect: [
        { min: 200, max: 299 },
        { min: 404, max: 404 },
      ],
      throwOnError: true,
      retryOnStaleConnection: true,
      traceparent: true,
      origin: true,
    });
  });

  test("are the defaults if nothing is set", () => {
    for (const nothing of [undefined, {}, { timeout: {}, tls: {}, dns: {}, proxy: undefined }]) {
      const {
        http,
        scenarios: [readers],
      } = validOf(nothing);
      expect(http).toEqual(defaultHttp);
      expect(readers?.http).toEqual(defaultHttp);
    }
  });

  test("take a single time as the timeout of the whole exchange", () => {
    expect(validOf({ timeout: "5s" }).http.timeout).toEqual({
      connectMs: null,
      firstByteMs: null,
      wholeMs: 5000,
    });
    expect(validOf({ timeout: 250 }).http.timeout.wholeMs).toBe(250);
  });

  test("are those of the test if a scenario sets none", () => {
    const {
      http,
      scenarios: [readers],
    } = validOf({ cookies: "vu" });
    expect(readers?.http).toBe(http);
  });

  test("are overridden by the scenario's, option by option, each as a whole", () => {
    const {
      http,
      scenarios: [readers],
    } = validOf(
      {
        headers: { a: "1" },
        tls: { serverName: "one.example" },
        cookies: "vu",
        localAddresses: ["127.0.0.2"],
      },
      { headers: { b: "2" }, tls: { minVersion: "1.3" }, localAddresses: [], maxBodySize: 5, expect: 204 },
    );
    expect(readers?.http).toEqual({
      ...http,
      headers: ["b", "2"],
      tls: { ...defaultHttp.tls, minVersion: "1.3" },
      localAddresses: [],
      maxBodySize: 5,
      expect: [{ min: 204, max: 204 }],
    });
    expect(http.tls.serverName).toBe("one.example");
  });

  test("merge timeouts part by part, where a single time is that of the whole exchange", () => {
    const merged = (http: unknown, ofScenario: unknown): unknown =>
      validOf(http, ofScenario).scenarios[0]?.http.timeout;
    const ofTest = { timeout: { connect: "300ms", whole: "2s" } };
    expect(merged(ofTest, { timeout: { firstByte: "1s" } })).toEqual({
      connectMs: 300,
      firstByteMs: 1000,
      wholeMs: 2000,
    });
    expect(merged(ofTest, { timeout: "5s" })).toEqual({ connectMs: 300, firstByteMs: null, wholeMs: 5000 });
    expect(merged({ timeout: "800ms" }, { timeout: { connect: "300ms" } })).toEqual({
      connectMs: 300,
      firstByteMs: null,
      wholeMs: 800,
    });
  });

  test.for([
    [{ coookies: "vu" }, 'http.coookies is not an option of http: did you mean "cookies"?'],
    [5, "http must be an object, but is 5."],
    [null, "http must be an object, but is null."],
    [{ timeout: { hole: "5s" } }, 'http.timeout.hole is not an option of timeout: did you mean "whole"?'],
    [{ timeout: 0 }, "http.timeout must be longer than 0, but is 0."],
    [
      { timeout: [] },
      'http.timeout must be a time such as "30s", or a number of milliseconds, but is an array.',
    ],
    [
      { timeout: { connect: "soon" } },
      'http.timeout.connect: Duration "soon": expected a time such as "30s", "1m30s" or "500ms" at character 1.',
    ],
    [{ discardBodies: "yes" }, 'http.discardBodies must be true or false, but is "yes".'],
    [{ maxBodySize: 0 }, "http.maxBodySize must be 1 or more, but is 0."],
    [{ maxConnections: 1.5 }, "http.maxConnections must be a whole number, but is 1.5."],
    [{ cookies: "session" }, 'http.cookies must be one of "iteration", "vu", "off", but is "session".'],
    [
      { protocol: "http/2" },
      'http.protocol must be one of "auto", "http1", "http2", "h2c", but is "http/2": did you mean "http2"?',
    ],
    [
      { headers: { "a b": "1" } },
      `http.headers["a b"] is not a valid header name: use letters, digits and ! # $ % & ' * + - . ^ _ \` | ~.`,
    ],
    [
      { headers: { "Content-Length": "1" } },
      "http.headers.Content-Length is a header that bearhug sets itself: leave it out.",
    ],
    [
      { headers: { Expect: "100-continue" } },
      "http.headers.Expect: bodies are sent at once, without waiting for 100 Continue.",
    ],
    [
      { headers: { "http2-settings": "AAMAAABk" } },
      "http.headers.http2-settings: changing the protocol is not supported; with TLS, HTTP/2 is negotiated.",
    ],
    [{ headers: { a: 1 } }, "http.headers.a must be a string, but is 1."],
    [{ headers: { a: [] } }, "http.headers.a must not be empty."],
    [
      { headers: { a: ["b", "c\r\nd: e"] } },
      "http.headers.a[1] must not contain control characters or characters beyond Latin-1: encode them.",
    ],
    [
      { headers: { a: "→" } },
      "http.headers.a must not contain control characters or characters beyond Latin-1: encode them.",
    ],
    [{ headers: { a: " b" } }, "http.headers.a must not begin or end with a space."],
    [
      { hosts: { "http://shop.example": "::1" } },
      'http.hosts["http://shop.example"] must be a host name such as "shop.example", without scheme or port, in ASCII ("xn--…").',
    ],
    [{ hosts: { "127.0.0.1": "::1" } }, 'http.hosts["127.0.0.1"] is an IP address: use a host name.'],
    [
      { hosts: { shop: "localhost:80" } },
      'http.hosts.shop must be an IP address such as "127.0.0.1" or "::1", or one with a port such as "127.0.0.1:8443" or "[::1]:8443".',
    ],
    [
      { hosts: { shop: ["::1", "1.2.3"] } },
      'http.hosts.shop[1] must be an IP address such as "127.0.0.1" or "::1", or one with a port such as "127.0.0.1:8443" or "[::1]:8443".',
    ],
    [{ hosts: { "shop:0": "::1" } }, 'http.hosts["shop:0"] must have a port between 1 and 65535.'],
    [{ hosts: { "127.0.0.1:80": "::1" } }, 'http.hosts["127.0.0.1:80"] is an IP address: use a host name.'],
    [{ hosts: { shop: "127.0.0.1:70000" } }, "http.hosts.shop must have a port between 1 and 65535."],
    [{ localAddresses: "127.0.0.1" }, 'http.localAddresses must be an array, but is "127.0.0.1".'],
    [
      { localAddresses: ["eth0"] },
      'http.localAddresses[0] must be an IP address such as "127.0.0.1" or "::1".',
    ],
    [{ redirects: -1 }, "http.redirects must be 0 or more, but is -1."],
    [{ redirect: 5 }, 'http.redirect is not an option of http: did you mean "redirects"?'],
    [{ throwOnError: 1 }, "http.throwOnError must be true or false, but is 1."],
    [{ retryOnStaleConnection: "yes" }, 'http.retryOnStaleConnection must be true or false, but is "yes".'],
    [{ unixSocket: "" }, "http.unixSocket must be the path of a unix socket."],
    [
      { dns: { servers: ["dns.example"] } },
      'http.dns.servers[0] must be the IP address of a name server such as "10.0.0.2", "127.0.0.1:5353" or "[::1]:5353".',
    ],
    [
      { dns: { ttl: -1 } },
      'http.dns.ttl: Duration "-1": expected a number of milliseconds that is 0 or more at character 1.',
    ],
    [{ tls: { cert: certificateText } }, "http.tls.cert needs its key: set tls.key, too."],
    [
      { tls: { cert: "c.pem", key: "k.pem", clients: [{ cert: "c", key: "k" }] } },
      "http.tls.clients can't be together with tls.cert: leave one of them out.",
    ],
    [
      { tls: { clients: [{ cert: certificateText }] } },
      "http.tls.clients[0].cert needs its key: set key, too.",
    ],
    [
      { tls: { clients: [{ cert: "c", key: 5 }] } },
      "http.tls.clients[0].key must be a string: PEM, or the path of a file.",
    ],
    [{ tls: { key: "key.pem" } }, "http.tls.key needs its certificate: set tls.cert, too."],
    [
      { tls: { passphrase: "swordfish" } },
      "http.tls.passphrase is for tls.cert and tls.key, which are missing.",
    ],
    [{ tls: { cert: "c.pem", key: "k.pem", passphrase: 12345 } }, "http.tls.passphrase must be a string."],
    [{ tls: { ca: [] } }, "http.tls.ca must not be empty."],
    [{ tls: { ca: ["a", 5] } }, "http.tls.ca[1] must be a string: PEM, or the path of a file."],
    [{ tls: { serverName: "127.0.0.1" } }, "http.tls.serverName is an IP address: use a host name."],
    [
      { tls: { maxVersion: "1.1" } },
      "http.tls.maxVersion must not be older than minVersion (1.2), but is 1.1: set minVersion, too.",
    ],
    [
      { tls: { minVersion: "1.4" } },
      'http.tls.minVersion must be one of "1.0", "1.1", "1.2", "1.3", but is "1.4": did you mean "1.0"?',
    ],
  ] as const)("%j: %s", ([http, sentence]) => {
    expect(httpMessages(http)).toEqual([sentence]);
  });

  test("are reported together with all other problems, in test and scenario", () => {
    expect(
      messagesOf({
        http: { cookies: 1, dns: { ttl: "x" } },
        scenarios: { readers: { ...scenarios.readers, vus: 0, http: { cache: true } } },
      }),
    ).toEqual([
      'http.cookies must be one of "iteration", "vu", "off", but is 1.',
      'http.dns.ttl: Duration "x": expected a time such as "30s", "1m30s" or "500ms" at character 1.',
      "scenarios.readers.vus must be 1 or more, but is 0.",
      'scenarios.readers.http.cache must be one of "none", "browser", but is true.',
    ]);
  });
});
