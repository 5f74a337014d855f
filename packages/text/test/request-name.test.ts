import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyUrl } from "../../../tools/vitest/any-url.ts";
import { requestName, uncutRequestName } from "../src/request-name.ts";

const utf8 = new TextEncoder();

describe("requestName", () => {
  test.for([
    ["GET", "/", "GET /"],
    ["get", "/a", "GET /a"],
    ["GET", "/users/42", "GET /users/:id"],
    ["GET", "/users/42/orders/7?page=3#top", "GET /users/:id/orders/:id"],
    ["GET", "/users/42.json", "GET /users/42.json"],
    ["GET", "/v2/users", "GET /v2/users"],
    ["GET", "/a/123e4567-E89B-12d3-a456-426614174000/b", "GET /a/:id/b"],
    ["GET", "/c/0123456789abcdef", "GET /c/:id"],
    ["GET", "/c/0123456789abcde", "GET /c/0123456789abcde"],
    ["GET", "/c/DEADBEEFDEADBEEFDEAD", "GET /c/:id"],
    ["GET", "/users/42/", "GET /users/:id/"],
    ["GET", "//double/1", "GET //double/:id"],
    ["GET", "http://127.0.0.1:8080", "GET /"],
    ["GET", "http://127.0.0.1:8080?x=1", "GET /"],
    ["POST", "https://example.com/a/5?x=1", "POST /a/:id"],
    ["OPTIONS", "*", "OPTIONS *"],
  ] as const)("%s %s is %s", ([method, url, name]) => {
    expect(requestName(method, url)).toBe(name);
  });

  test("is the same for a URL, its address and its path on the wire", () => {
    fc.assert(
      fc.property(anyUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const url = new URL(address);
        const name = requestName("GET", url);
        expect(requestName("GET", url.href)).toBe(name);
        expect(requestName("GET", url.pathname + url.search)).toBe(name);
      }),
      { numRuns: 30 },
    );
  });

  test("has at most 256 bytes, cut between two characters, followed by a hash of the whole", () => {
    const long = requestName("GET", `/${"é".repeat(300)}`);
    expect(long).toMatch(/^GET \/é{117}…[\da-f]{14}$/);
    expect(utf8.encode(long)).toHaveLength(256);
    expect(requestName("GET", `/${"é".repeat(301)}`)).not.toBe(long);
    expect(uncutRequestName("GET", `/${"é".repeat(300)}`)).toBe(`GET /${"é".repeat(300)}`);
  });
});
