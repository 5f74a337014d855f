import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressProblem, hostNameProblem } from "../../src/http-options/http-rules.ts";

const nearlyAddress = fc.stringMatching(/^[0-9a-fx:.g%[\]-]{0,40}$/);

test("a text is accepted as an IP address exactly if Node accepts it as one", () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), nearlyAddress);
  fc.assert(
    fc.property(text, (address) => {
      expect(addressProblem(address) === undefined).toBe(isIP(address) !== 0);
    }),
    { seed: 5, numRuns: 2000 },
  );
});

test("a valid host name stays the same in a URL", () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), nearlyAddress), (host) => {
      if (hostNameProblem(host) === undefined) {
        expect(URL.parse(`http://${host}/`)?.hostname).toBe(host.toLowerCase());
      }
    }),
    { seed: 5, numRuns: 2000 },
  );
});

test.for(["localhost", "shop.example", "a_b.internal", "xn--mnchen-3ya.example", "1password.example"])(
  "%s is the name of a host",
  (host) => {
    expect(hostNameProblem(host)).toBeUndefined();
  },
);

test.for([
  "",
  ".",
  "0",
  "1.2.3",
  "shop.0x1F",
  "a..b",
  "shop.example.",
  "-a.example",
  "münchen.example",
  "*.example",
  "a".repeat(64),
  "a b",
])("%j is not the name of a host", (host) => {
  expect(hostNameProblem(host)).toMatch(/^must be a host name/);
});
