import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { beforeAll, afterAll, beforeEach, expect, test } from "vitest";

import { startClient } from "./start-client.ts";

/** The `cookie` headers that the server saw; it sets `sid` on /login and redirects from /go. */
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.cookie ?? "");
  if (request.url === "/login") response.setHeader("set-cookie", "sid=1; Path=/");
  if (request.url === "/go") response.writeHead(302, { location: "/" });
  response.end();
});
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
});

test("a request's own cookies go with it alone, beside those of the virtual user", async () => {
  const { http } = startClient(url);
  await http.get("/login", { cookies: { first: "a" } });
  await http.get("/", { cookies: { theme: "dark" } });
  await http.get("/", { cookies: { sid: "2", theme: "x%20y" } });
  await http.get("/go", { cookies: { theme: "dark" } });
  expect(seen).toEqual(["first=a", "sid=1; theme=dark", "sid=2; theme=x%20y", "sid=1; theme=dark", "sid=1"]);
});

test("a jar that the test makes replaces the virtual user's cookies, and keeps those that its responses set", async () => {
  const { http } = startClient(url);
  http.cookies.set("of", "vu");
  const jar = http.newJar();
  jar.set("of", "jar");
  await http.get("/login", { jar });
  await http.get("/go", { jar });
  await http.get("/");
  const other = http.newJar();
  await http.get("/", { jar: other, cookies: { alone: "1" } });
  expect(seen).toEqual(["of=jar", "of=jar; sid=1", "of=jar; sid=1", "of=vu", "alone=1"]);
  expect([jar.get("sid"), http.cookies.get("sid"), other.get("sid")]).toEqual(["1", null, null]);
});

test.each([
  [{ cookies: "a=b" }, "cookies must be an object of names and values, but is a string."],
  [{ cookies: { a: 1 } }, 'cookies: "a" must be a string, but is 1.'],
  [{ cookies: { "a b": "1" } }, '"a b" is not a valid cookie name'],
  [{ cookies: { a: "1; b=2" } }, 'the value of "a" contains characters that a cookie can\'t carry'],
  [{ cookies: { a: "1" }, headers: { Cookie: "b=2" } }, "the header cookie is given, too"],
  [{ jar: {} }, "jar must be a jar of http.newJar()"],
])("options that no request can carry are refused before anything is sent: %j", async (options, says) => {
  const { http } = startClient(url);
  const sent = http.get("/", options as never);
  await expect(sent).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  await expect(sent).rejects.toThrow(says);
  expect(seen).toEqual([]);
});
