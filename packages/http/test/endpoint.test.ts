import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { AllowedHosts, MovedHosts } from "../src/request/hosts.ts";
import { EndpointCache } from "../src/request/endpoint-cache.ts";

describe("the hosts that a test names", () => {
  test.each([
    { allow: [], url: "http://shop.example/", has: true },
    { allow: [], url: "http://shop.example:80/x", has: true },
    { allow: [], url: "https://shop.example/", has: false },
    { allow: [], url: "http://shop.example:8080/", has: false },
    { allow: [], url: "http://www.shop.example/", has: false },
    { allow: ["shop.example"], url: "https://shop.example:8443/", has: true },
    { allow: ["CDN.example"], url: "http://cdn.example/", has: true },
    { allow: ["cdn.example:443"], url: "https://cdn.example/", has: true },
    { allow: ["cdn.example:443"], url: "http://cdn.example/", has: false },
    { allow: ["[::1]:8080"], url: "http://[::1]:8080/", has: true },
    { allow: ["[::1]"], url: "http://[::1]:8080/", has: true },
    { allow: ["example"], url: "http://evil-example/", has: false },
  ])("with $allow besides http://shop.example have $url: $has", ({ allow, url, has }) => {
    expect(new AllowedHosts("http://shop.example", allow).has(new URL(url))).toBe(has);
  });
});

function cache(baseUrl: string | null = "http://127.0.0.1:8080/base/") {
  const accounting = new SharedAccounting();
  const allowedHosts = new AllowedHosts(baseUrl, ["[::1]", "127.0.0.1"]);
  return {
    accounting,
    endpoints: new EndpointCache({
      baseUrl,
      allowedHosts,
      movedHosts: new MovedHosts(null, null),
      accounting,
      defaultHeaders: [],
      mask: createMask(["s3cret"]),
    }),
  };
}

describe("a name that is too long", () => {
  test("is masked before it is cut, both from a path and when the test gives it", () => {
    const { endpoints, accounting } = cache();
    const long = `/${"x".repeat(229)}.s3cret${"y".repeat(100)}`;
    const names = [endpoints.get("GET", long).name, long];
    for (const name of names) expect(name).toContain("s3cret");
    for (const name of names) expect(endpoints.row(name).name).toMatch(/x{229}\.\*{3}y+…[\da-f]{14}$/);
    expect(accounting.requests()).toHaveLength(2);
  });
});

describe("an endpoint", () => {
  test("is computed once for a method and an address", () => {
    const { endpoints } = cache();
    const home = endpoints.get("GET", "/users/12?x#y");
    expect(endpoints.get("GET", "/users/12?x#y")).toBe(home);
    expect(endpoints.get("POST", "/users/12?x#y")).not.toBe(home);
    expect(home).toMatchObject({ plain: { path: "/users/12?x" }, name: "GET /users/:id", method: "GET" });
    expect(home.origin).toEqual({
      isSecure: false,
      host: "127.0.0.1",
      port: 8080,
      text: "http://127.0.0.1:8080",
      pool: "http://127.0.0.1:8080",
    });
  });

  test("shares its origin with others, since connections are kept by origin", () => {
    const { endpoints } = cache();
    expect(endpoints.get("GET", "/a").origin).toBe(endpoints.get("POST", "http://127.0.0.1:8080/b").origin);
  });

  test.each([
    { address: "https://127.0.0.1/", origin: { isSecure: true, host: "127.0.0.1", port: 443 } },
    { address: "http://127.0.0.1/", origin: { isSecure: false, host: "127.0.0.1", port: 80 } },
    { address: "http://[::1]:99/", origin: { isSecure: false, host: "::1", port: 99 } },
  ])("of $address knows where to connect", ({ address, origin }) => {
    expect(cache().endpoints.get("GET", address).origin).toMatchObject(origin);
  });

  test("completes an address with the baseUrl as a browser does", () => {
    const { endpoints } = cache();
    expect(endpoints.get("GET", "page").url.href).toBe("http://127.0.0.1:8080/base/page");
    expect(endpoints.get("GET", "/page").url.href).toBe("http://127.0.0.1:8080/page");
  });

  test.each([
    { method: "GE T", says: '"GE T" is not an HTTP method.' },
    { method: "", says: '"" is not an HTTP method.' },
    { method: "CONNECT", says: "CONNECT opens a tunnel and is not a request" },
  ])("refuses a method that cannot be sent: $says", ({ method, says }) => {
    expect(() => cache().endpoints.get(method, "/")).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringContaining(says) as string,
      }),
    );
  });

  test.each([
    { address: "http://ann:hush@127.0.0.1/a?b", says: "http://127.0.0.1/a" },
    { address: "http://:hush@127.0.0.1/", says: "auth: { username, password }" },
    { address: "http://hush@127.0.0.1/", says: "auth: { username, password }" },
    { address: "//ann:hush@127.0.0.1:8080/a", says: "auth: { username, password }" },
    { address: "http://ann:hush@elsewhere.example/", says: "http://elsewhere.example/" },
    { address: "http://ann:hush@127.0.0.1:99999/", says: '"http://***@127.0.0.1:99999/" is not a valid URL' },
    { address: "https:ann:hush@127.0.0.1:99999/", says: '"https:***@127.0.0.1:99999/" is not a valid URL' },
    { address: "ftp://ann:hush@127.0.0.1/", says: "only http: and https: URLs" },
  ])("refuses a user and password in the address, and does not show them: $address", ({ address, says }) => {
    const get = (): unknown => cache().endpoints.get("GET", address);
    expect(get).toThrow(
      expect.objectContaining({ code: "INVALID_URL", message: expect.stringContaining(says) as string }),
    );
    expect(get).not.toThrow("hush");
  });

  test("takes one row for each name, however many addresses have that name", () => {
    const { endpoints, accounting } = cache();
    for (let id = 0; id < 12_000; id++) {
      endpoints.row(endpoints.get("GET", `/users/${id}`).name).started();
    }
    expect(accounting.requests()).toMatchObject([{ name: "GET /users/:id", started: 12_000 }]);
  });
});
