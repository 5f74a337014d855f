import { describe, expect, test } from "vitest";

import { describeChain } from "../../src/session/redirect-chain.ts";
import { isAmbiguous, nextHop } from "../../src/request/redirects.ts";
import { shown } from "../../../cli/test/shown.ts";

const from = new URL("https://shop.example:8443/a/b?q#part");

describe("the method after a redirect", () => {
  test.each([
    { method: "GET", methods: ["GET", "GET", "GET", "GET", "GET"] },
    { method: "HEAD", methods: ["HEAD", "HEAD", "HEAD", "HEAD", "HEAD"] },
    { method: "POST", methods: ["GET", "GET", "GET", "POST", "POST"] },
    { method: "PUT", methods: ["PUT", "PUT", "GET", "PUT", "PUT"] },
    { method: "DELETE", methods: ["DELETE", "DELETE", "GET", "DELETE", "DELETE"] },
    { method: "OPTIONS", methods: ["OPTIONS", "OPTIONS", "GET", "OPTIONS", "OPTIONS"] },
  ])(
    "of a $method with 301, 302, 303, 307, 308 is $methods, and the body is dropped if the method changes",
    (row) => {
      const hops = [301, 302, 303, 307, 308].map((status) => nextHop(status, "/x", row.method, from));
      expect(hops.map((hop) => hop?.method)).toEqual(row.methods);
      for (const hop of hops.filter((one) => one?.method !== row.method)) expect(hop?.keepsBody).toBe(false);
      for (const hop of [hops[3], hops[4]]) expect(hop?.keepsBody).toBe(true);
    },
  );

  test.each([200, 201, 300, 304, 305, 306, 399, 400])("%i is no redirect", (status) => {
    expect(nextHop(status, "/x", "GET", from)).toBeNull();
  });
});

describe("a Location", () => {
  test.each([
    { location: "/c", leads: "https://shop.example:8443/c#part" },
    { location: "c", leads: "https://shop.example:8443/a/c#part" },
    { location: "?x", leads: "https://shop.example:8443/a/b?x#part" },
    { location: "#other", leads: "https://shop.example:8443/a/b?q#other" },
    { location: "../../../c/./d", leads: "https://shop.example:8443/c/d#part" },
    { location: "//cdn.example/c", leads: "https://cdn.example/c#part" },
    { location: "http://shop.example/c", leads: "http://shop.example/c#part" },
    { location: "HTTP://SHOP.example:80/c#own", leads: "http://shop.example/c#own" },
    { location: "  /c \t", leads: "https://shop.example:8443/c#part" },
    { location: "/a b?c d", leads: "https://shop.example:8443/a%20b?c%20d#part" },
    { location: "\\c", leads: "https://shop.example:8443/c#part" },
    {
      location: Buffer.from("/café?é").toString("latin1"),
      leads: "https://shop.example:8443/caf%C3%A9?%C3%A9#part",
    },
    { location: "/caf\u00e9", leads: "https://shop.example:8443/caf%E9#part" },
    {
      location: Buffer.from("http://bücher.example/").toString("latin1"),
      leads: "http://xn--bcher-kva.example/#part",
    },
    { location: "/%E9%zz", leads: "https://shop.example:8443/%E9%zz#part" },
    { location: "https://user:pass@shop.example/c", leads: "https://shop.example/c#part" },
    { location: "http://[::1]:8080/c", leads: "http://[::1]:8080/c#part" },
  ])("of $location leads to $leads", ({ location, leads }) => {
    expect(nextHop(302, location, "GET", from)?.url.href).toBe(leads);
  });

  test.each([
    null,
    "",
    "   ",
    "http://",
    "http://[",
    "https://a b/",
    "mailto:a@b.example",
    "shop-app://done",
    "javascript:1",
  ])("of %j leads nowhere", (location) => {
    expect(nextHop(302, location, "GET", from)).toBeNull();
  });

  test.each([
    { locations: [], is: false },
    { locations: ["/a"], is: false },
    { locations: ["/a", "/a"], is: false },
    { locations: ["", "/a"], is: false },
    { locations: ["/a", "/b"], is: true },
  ])("with the values $locations is ambiguous: $is", ({ locations, is }) => {
    expect(isAmbiguous(locations)).toBe(is);
  });
});

describe("the description of a chain", () => {
  const chain = (length: number): string[] => Array.from({ length }, (_, index) => `http://x/${index}`);

  test.each([
    { length: 1, says: "http://x/0" },
    { length: 2, says: "http://x/0 → http://x/1" },
    { length: 7, says: chain(7).join(" → ") },
    {
      length: 12,
      says: "http://x/0 → http://x/1 → http://x/2 → 6 more → http://x/9 → http://x/10 → http://x/11",
    },
  ])("of $length addresses", ({ length, says }) => {
    expect(shown(describeChain(chain(length)))).toBe(says);
  });

  test("is short, however long its addresses are", () => {
    const words = shown(describeChain(chain(50).map((url) => url + "x".repeat(5000))));
    expect(words.length).toBeLessThan(800);
    expect(words).toContain("…");
  });
});
