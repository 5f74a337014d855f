import { expect, test } from "vitest";
import { entryOf, harOf, read } from "../har-file.ts";

async function urlOf(url: string, headers: Readonly<Record<string, string>>, httpVersion = "HTTP/1.1") {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const { entries } = await read(
    harOf([entryOf(url, { request: { headers: list, httpVersion }, response: { httpVersion } })]),
  );
  return entries[0]?.request.url;
}

test.each([
  [{ Host: "shop.test", Origin: "https://shop.test" }, "https://shop.test/cart?a=1"],
  [{ host: "shop.test:8080", referer: "http://shop.test:8080/" }, "http://shop.test:8080/cart?a=1"],
  [{ host: "api.shop.test", referer: "https://shop.test/" }, "https://api.shop.test/cart?a=1"],
  [
    { host: "shop.test", origin: "https://other.test", referer: "http://shop.test/" },
    "http://shop.test/cart?a=1",
  ],
  [{ host: "shop.test", origin: "null" }, "http://shop.test/cart?a=1"],
  [{ host: "shop.test:443" }, "https://shop.test:443/cart?a=1"],
  [{ ":authority": "shop.test", ":scheme": "https" }, "https://shop.test/cart?a=1"],
])("a path is completed from the headers %j", async (headers, expected) => {
  expect(await urlOf("/cart?a=1", headers)).toBe(expected);
});

test("the scheme of an HTTP/2 request is https", async () => {
  expect(await urlOf("/", { host: "shop.test" }, "h2")).toBe("https://shop.test/");
});

test("a path that begins with its host is completed with the scheme", async () => {
  expect(await urlOf("//shop.test/a", { host: "shop.test" })).toBe("http://shop.test/a");
  expect(await urlOf("//a/b", { host: "shop.test" })).toBe("http://shop.test//a/b");
});

test.each([
  ["/cart", {}],
  ["/cart", { host: "no host" }],
  ["cart", { host: "shop.test" }],
  ["https://other.test/cart", { host: "shop.test" }],
])("the URL %s is unchanged with the headers %j", async (url, headers) => {
  expect(await urlOf(url, headers)).toBe(url);
});
