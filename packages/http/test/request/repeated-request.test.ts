import { expect, test } from "vitest";

import { Draft } from "../../src/request/draft.ts";
import { Endpoint } from "../../src/request/endpoint.ts";
import type { GivenHeaders } from "../../src/request/request-headers.ts";
import type { WireRequest } from "../../src/transport/transport.ts";

const origin = { isSecure: false, host: "h", port: 80, text: "http://h", pool: "http://h" };
const defaults = ["accept", "*/*"];

function newEndpoint(): Endpoint {
  return new Endpoint({ method: "GET", origin, href: "http://h/", path: "/", headers: defaults });
}

function wireOf(
  endpoint: Endpoint,
  headers: GivenHeaders["headers"],
  defaultHeaders: readonly string[] = defaults,
): WireRequest {
  return new Draft(endpoint, { headers }, null, defaultHeaders).wire([]);
}

test("a request with the same headers, in any form, is the same object from the second time on", () => {
  const endpoint = newEndpoint();
  const first = wireOf(endpoint, { "x-a": "1", "x-b": "2" });
  const second = wireOf(endpoint, { "x-a": "1", "x-b": "2" });
  const pairs: [string, string][] = [
    ["x-a", "1"],
    ["x-b", "2"],
  ];
  expect([first.isConstant, second.isConstant]).toEqual([false, true]);
  expect(first.headers).toEqual(["x-a", "1", "x-b", "2", "accept", "*/*"]);
  expect(second.headers).toEqual(first.headers);
  expect(wireOf(endpoint, pairs)).toBe(second);
});

test.each<[string, GivenHeaders["headers"], readonly string[], readonly string[]]>([
  ["another value", { "x-a": "2" }, defaults, ["x-a", "2", "accept", "*/*"]],
  ["another name", { "x-b": "1" }, defaults, ["x-b", "1", "accept", "*/*"]],
  ["one more", { "x-a": "1", "x-b": "2" }, defaults, ["x-a", "1", "x-b", "2", "accept", "*/*"]],
  ["none", {}, defaults, ["accept", "*/*"]],
  ["the default's", { "x-a": "1", accept: "*/*" }, defaults, ["x-a", "1", "accept", "*/*"]],
  ["several values", { "x-a": ["1", "1"] }, defaults, ["x-a", "1", "x-a", "1", "accept", "*/*"]],
  ["other defaults", { "x-a": "1" }, ["accept", "text/html"], ["x-a", "1", "accept", "text/html"]],
])("a request with other headers is not taken for the last one: %s", (_title, headers, others, sent) => {
  const endpoint = newEndpoint();
  for (let time = 0; time < 3; time++) wireOf(endpoint, { "x-a": "1" });
  for (let time = 0; time < 3; time++) {
    expect(wireOf(endpoint, headers, others).headers).toEqual(sent);
    expect(wireOf(endpoint, { "x-a": "1" }).headers).toEqual(["x-a", "1", "accept", "*/*"]);
  }
});

test("requests with a body or an added header are written each time", () => {
  const endpoint = newEndpoint();
  const body = { body: Buffer.from("b"), contentType: "text/plain", contentEncoding: null };
  for (let time = 0; time < 3; time++) {
    expect(new Draft(endpoint, { headers: { "x-a": "1" } }, body, defaults).wire([])).toMatchObject({
      headers: ["x-a", "1", "content-type", "text/plain", "accept", "*/*"],
      isConstant: false,
    });
    expect(
      new Draft(endpoint, { headers: { "x-a": "1" } }, null, defaults).wire(["cookie", "c=1"]),
    ).toMatchObject({
      headers: ["x-a", "1", "accept", "*/*", "cookie", "c=1"],
      isConstant: false,
    });
  }
});

test("headers that differ each time are soon no longer cached, nor are very long ones", () => {
  const endpoint = newEndpoint();
  const constant = Array.from(
    { length: 30 },
    (_, index) => wireOf(endpoint, { "x-a": String(index) }).isConstant,
  );
  expect(constant.indexOf(true)).toBe(1);
  expect(constant.slice(20)).not.toContain(true);
  const long = newEndpoint();
  for (let time = 0; time < 3; time++)
    expect(wireOf(long, { "x-a": "a".repeat(3000) }).isConstant).toBe(false);
});
