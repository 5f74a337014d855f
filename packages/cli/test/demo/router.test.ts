import fc from "fast-check";
import { expect, test } from "vitest";
import { text } from "../../src/demo/reply.ts";
import { createRouter, matchPath } from "../../src/demo/router.ts";
import { acceptsGzip } from "../../src/demo/handle-request.ts";

const respond = () => text("");
const router = createRouter([
  { method: "GET", path: "/things/:id", about: "", respond },
  { method: "GET", path: "/things/new", about: "", respond },
  { method: "POST", path: "/things/:id", about: "", respond },
]);

test("a literal path wins over a parameter, whatever their order", () => {
  expect(router("GET", "/things/new")).toMatchObject({ kind: "found", route: { path: "/things/new" } });
});

test("a parameter has the decoded text of its segment", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (id) => {
      expect(matchPath("/things/:id", `/things/${encodeURIComponent(id)}`)).toEqual({ id });
    }),
  );
});

test.each(["/things", "/things/", "/things/1/more", "/things/%", "//", ""])("%j matches nothing", (path) => {
  expect(router("GET", path)).toEqual({ kind: "not found" });
});

test("HEAD finds the route of GET; another method gets the list of allowed ones", () => {
  expect(router("HEAD", "/things/1")).toMatchObject({ kind: "found", route: { method: "GET" } });
  expect(router("PUT", "/things/1")).toEqual({
    kind: "method not allowed",
    allowed: ["GET", "HEAD", "POST"],
  });
});

test.each([
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["br, GZIP;q=0.5", true],
  ["*", true],
  ["gzip;q=0", false],
  ["gzip; q=0.000", false],
  ["x-gzip-not", false],
])("Accept-Encoding %j allows gzip: %s", (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
