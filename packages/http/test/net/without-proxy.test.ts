import { describe, expect, test } from "vitest";

import { hostsWithoutProxy } from "../../src/net/proxy.ts";

describe("hosts that are reached without the proxy", () => {
  test.for([
    [["shop.example"], "shop.example", true],
    [["shop.example"], "api.shop.example", true],
    [["shop.example"], "workshop.example", false],
    [[".shop.example"], "shop.example", true],
    [["Shop.Example."], "api.shop.example.", true],
    [["shop.example"], "example", false],
    [["*"], "anything.example", true],
    [["*"], "10.0.0.1", true],
    [["10.0.0.0/8"], "10.1.2.3", true],
    [["10.0.0.0/8"], "11.1.2.3", false],
    [["10.1.2.3"], "10.1.2.3", true],
    [["0.0.1"], "10.0.0.1", false],
    [["[::1]", "fd00::/8"], "::1", true],
    [["fd00::/8"], "fd12:3456::1", true],
    [["fd00::/8"], "fe80::1", false],
    [["10.0.0.0/8"], "ten.example", false],
    [[], "localhost", false],
  ] as const)("for noProxy %j, include %s: %s", ([entries, host, isDirect]) => {
    expect(hostsWithoutProxy(entries)({ host, port: 443 })).toBe(isDirect);
  });

  test.for([
    ["*.internal", "api.internal:443", true],
    ["*.INTERNAL", "a.b.internal:80", true],
    ["*.internal", "internal:443", false],
    ["*.internal", "minternal:443", false],
    ["localhost:8080", "localhost:8080", true],
    ["localhost:8080", "localhost:8081", false],
    [".internal:8443", "api.internal:8443", true],
    ["*.internal:8443", "api.internal:443", false],
    ["10.0.0.1:80", "10.0.0.1:80", true],
    ["10.0.0.1:80", "10.0.0.1:443", false],
    ["[::1]:80", "::1:80", true],
    ["[::1]:80", "::1:443", false],
    ["169.254/16", "169.254.169.254:80", true],
    ["169.254/16", "169.255.0.1:80", false],
    ["10.9.8.7/8", "10.1.2.3:80", true],
    ["0.0.0.0/0", "203.0.113.9:80", true],
    ["LOCALHOST", "localhost:80", true],
  ] as const)("for noProxy %s, as in Go, include %s: %s", ([entry, place, isDirect]) => {
    const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
    expect(hostsWithoutProxy([entry])({ host, port: Number(port) })).toBe(isDirect);
  });
});
