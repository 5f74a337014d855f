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
  ] as const)("%j: %s is one: %s", ([entries, host, isOne]) => {
    expect(hostsWithoutProxy(entries)(host)).toBe(isOne);
  });
});
