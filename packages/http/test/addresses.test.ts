import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { createMask } from "@bearhug/text/secret-mask";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { AllowedHosts, MovedHosts } from "../src/request/hosts.ts";
import { EndpointCache } from "../src/request/endpoint-cache.ts";
import { startHttp2Server } from "./http2/http2-server.ts";
import { startRawServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

const baseUrl = "http://127.0.0.1:8080/base/";

function newEndpoints(movedHosts = new MovedHosts(null, null)): EndpointCache {
  return new EndpointCache({
    baseUrl,
    allowedHosts: new AllowedHosts(baseUrl, ["shop.example"]),
    movedHosts,
    accounting: new SharedAccounting(),
    defaultHeaders: [],
    mask: createMask([]),
  });
}

const parts = [
  "/",
  "a",
  "B7",
  "?",
  ".",
  "..",
  "//",
  "%",
  "%2e",
  "%2E",
  "%zz",
  "&",
  "=",
  "'",
  '"',
  "|",
  "#",
  "^",
];
const more = [
  "{",
  "}",
  "[",
  "]",
  "~",
  "é",
  "\\",
  " ",
  "\t",
  "\u0001",
  "@",
  ":",
  ";",
  "<",
  "`",
  "-",
  "_",
  "+",
  "$",
];
const text = fc.array(fc.constantFrom(...parts, ...more), { maxLength: 9 }).map((some) => some.join(""));

/** Returns the host in a request's name; empty for the origin of `baseUrl`. */
function shownHost({ origin, host }: URL): string {
  return origin === new URL(baseUrl).origin ? "" : host;
}

/** Derives path, href and name from an address with a URL parser; an empty query is kept. */
function expected(address: string): {
  readonly path: string;
  readonly href: string;
  readonly name: string;
} {
  const url = new URL(address, baseUrl);
  const path = url.href.slice(url.origin.length).replace(/#.*$/s, "");
  const name = `GET ${shownHost(url)}${url.pathname.replaceAll(/\/\d+(?=\/|$)/g, "/:id")}`;
  return { path, href: url.href, name };
}

describe("an address", () => {
  test("is parsed as a URL parser does, whether it is cached or not", () => {
    const endpoints = newEndpoints();
    fc.assert(
      fc.property(fc.constantFrom("", "http://shop.example", baseUrl), text, (start, rest) => {
        const address = `${start}/a${rest}`;
        const { path, href, name } = expected(address);
        for (const endpoint of [endpoints.get("GET", address), endpoints.get("GET", address)]) {
          expect(endpoint.plain.path).toBe(path);
          expect(endpoint.href).toBe(href);
          expect(endpoint.url.href).toBe(href);
          expect(endpoint.name).toBe(name);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    { address: "/p?", path: "/p?", href: "http://127.0.0.1:8080/p?" },
    { address: "/p?#x", path: "/p?", href: "http://127.0.0.1:8080/p?#x" },
    { address: "p?", path: "/base/p?", href: "http://127.0.0.1:8080/base/p?" },
    { address: "http://shop.example?", path: "/?", href: "http://shop.example/?" },
  ])("keeps the ? that it ends with: $address", ({ address, path, href }) => {
    const endpoint = newEndpoints().get("GET", address);
    expect(endpoint).toMatchObject({ plain: { path }, href });
    expect(endpoint.name).toBe(`GET ${shownHost(endpoint.url)}${endpoint.url.pathname}`);
  });

  test("keeps a final ? also when the target stands in for its host", () => {
    const endpoints = newEndpoints(new MovedHosts(baseUrl, { base: ["shop.example"], further: [] }));
    for (const path of ["/p?", "/q?", "/q/../r"])
      expect(endpoints.get("GET", `http://shop.example${path}`).href).toBe(
        `http://127.0.0.1:8080${path.replace("/q/..", "")}`,
      );
  });

  test("is validated even if it begins like a cached origin", () => {
    const endpoints = newEndpoints();
    endpoints.get("GET", "http://shop.example/a");
    for (const address of [
      "http://shop.example.evil.example/",
      "http://shop.example:80@evil.example/",
      "//evil.example/",
    ])
      expect(() => endpoints.get("GET", address)).toThrow(/does not name this host|user or password/);
  });
});

describe("the cache of addresses", () => {
  test("keeps an address that is requested again and again among 50,000 that are not, and drops those", () => {
    const endpoints = newEndpoints();
    for (let id = 0; id < 10_000; id++) endpoints.get("GET", `/before/${id}`);
    const constant = endpoints.get("GET", "/list?page=1");
    const first = endpoints.get("GET", "/products/0");
    for (let id = 1; id < 50_000; id++) {
      endpoints.get(id % 2 === 0 ? "GET" : "HEAD", `/products/${id}`);
      if (id % 1000 === 0) expect(endpoints.get("GET", "/list?page=1")).toBe(constant);
    }
    expect(endpoints.get("GET", "/list?page=1")).toBe(constant);
    expect(endpoints.get("GET", "/products/0")).not.toBe(first);
  });

  test("keeps neither huge addresses nor the pages that addresses were cut from", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const endpoints = newEndpoints();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let page = 0; page < 1000; page++) {
      const html = `${page} `.padEnd(100_000, "x").concat(`/product-of-page/${page}`);
      endpoints.get("GET", html.slice(html.indexOf("/product")));
      endpoints.get("GET", html.slice(html.indexOf("/product")), true);
      endpoints.get("GET", `/q?${html.slice(0, 50_000).replace(" ", "-")}`);
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(endpoints.get("GET", "/product-of-page/999")).toBe(endpoints.get("GET", "/product-of-page/999"));
  });
});

/** Paths that are sent as written; a URL parser would change each. */
const rawPaths = ["/a/../b", "/a/./b", "//x", "/%2e%2E/x", "/a\\b", '/<"`{|}^[]>?<"\'>', "/p#f?q", "/é?ü=€"];

describe("a raw path", () => {
  test.each(rawPaths)("%s goes over the wire as it is written", async (path) => {
    const server = await startRawServer(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    );
    const { http, row } = startClient(server.url);
    const response = await http.get(path, { rawPath: true });
    expect(response).toMatchObject({ status: 200, url: `${server.url}${path}` });
    expect(row(`GET ${path.replace(/[?#].*$/, "")}`)).toMatchObject({ succeeded: 1 });
    await http.get(`${server.url}${path}`, { rawPath: true, params: { a: "b c" } });
    const sent = server.heads.map((head) =>
      Buffer.from(head.split("\r\n")[0] ?? "", "latin1").toString("utf8"),
    );
    const joint = path.includes("?") ? "&" : "?";
    expect(sent).toEqual([`GET ${path} HTTP/1.1`, `GET ${path}${joint}a=b+c HTTP/1.1`]);
  });

  test("goes over HTTP/2 as it is written, too", async () => {
    const server = await startHttp2Server((response) => response.end());
    const { http } = startClient(`http://127.0.0.1:${server.port}`, [], [], {
      ...defaultHttp,
      protocol: "h2c",
    });
    for (const path of rawPaths.slice(0, 6))
      expect((await http.get(path, { rawPath: true })).error).toBeNull();
    expect(server.heads.map((head) => head[":path"])).toEqual(rawPaths.slice(0, 6));
  });

  test("does not make the same path raw in other requests", async () => {
    const server = await startRawServer(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    );
    const { http } = startClient(server.url);
    for (const rawPath of [true, false, true]) await http.get("/a/../b", { rawPath });
    expect(server.heads.map((head) => head.split(" ")[1])).toEqual(["/a/../b", "/b", "/a/../b"]);
  });

  test.each([
    { address: "/a b", says: "character 3 of the path is one: write it as %20" },
    { address: "/a HTTP/1.1\r\nhost: evil", says: "character 3" },
    { address: "/\r\n\r\nGET /evil", says: "write it as %0D" },
    { address: "/\u0000", says: "write it as %00" },
    { address: "/\u007f", says: "write it as %7F" },
    { address: "a/b", says: "must begin with /, http://host/" },
    { address: "", says: "must begin with /, http://host/" },
    { address: "http://127.0.0.1:8080", says: "must begin with /, http://host/" },
    { address: "http://127.0.0.1:8080?x", says: "must begin with /, http://host/" },
    { address: "ftp://127.0.0.1:8080/", says: "must begin with /, http://host/" },
    { address: "http://ann:hush@127.0.0.1:8080/", says: "can't contain a user or password" },
    { address: "http://evil.example/", says: "the test does not name this host" },
    { address: "http://127.0.0.1:8080\\@evil.example/", says: "must begin with /, http://host/" },
    { address: "http://evil.example\r\n/", says: "the test does not name this host" },
  ])("$address is refused", ({ address, says }) => {
    const get = (): unknown => newEndpoints().get("GET", address, true);
    expect(get).toThrow(says);
    expect(get).not.toThrow("hush");
  });

  test('does not let "raw GET" pass as a method', () => {
    const endpoints = newEndpoints();
    endpoints.get("GET", "/", true);
    expect(() => endpoints.get("raw GET", "/")).toThrow("is not an HTTP method");
  });
});

test("params follow a query that is empty, or ends with &, without another &", async () => {
  const server = await startRawServer(
    (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  );
  const { http } = startClient(server.url);
  for (const path of ["/p", "/p?", "/p?a=1", "/p?a=1&", "/p?#x"]) await http.get(path, { params: { b: 2 } });
  expect(server.heads.map((head) => head.split(" ")[1])).toEqual([
    "/p?b=2",
    "/p?b=2",
    "/p?a=1&b=2",
    "/p?a=1&b=2",
    "/p?b=2",
  ]);
});
