import { expect, test } from "vitest";
import { otherToken, requestsFrom, sent, token } from "./visit-in-steps.ts";

const headerOf = (request: Parameters<typeof sent>[0]) =>
  request?.headers.find(({ name }) => name === "X-XSRF-TOKEN")?.value;
const cookie = { kind: "cookie", name: "XSRF-TOKEN", origin: "https://shop.example" };

test("a header that repeats a cookie is sent with the cookie's current value", async () => {
  const [, call] = await requestsFrom(
    { path: "/", response: { headers: { "set-cookie": `XSRF-TOKEN=${token}; Path=/` } } },
    { path: "/api/x", method: "POST", headers: { "X-XSRF-TOKEN": token } },
  );
  expect(headerOf(call)).toEqual([cookie]);
});

test("a percent-encoded cookie is decoded if the page decoded it", async () => {
  const [, call] = await requestsFrom(
    { path: "/", response: { headers: { "set-cookie": `XSRF-TOKEN=${token}%3D; Path=/` } } },
    { path: "/api/x", method: "POST", headers: { "X-XSRF-TOKEN": `${token}=` } },
  );
  expect(headerOf(call)).toEqual([{ ...cookie, isDecoded: true }]);
});

test("a cookie that the browser had from the start is found, too", async () => {
  const [, call] = await requestsFrom(
    { path: "/", cookies: { "XSRF-TOKEN": token } },
    { path: "/api/x", method: "POST", headers: { "X-XSRF-TOKEN": token } },
  );
  expect(headerOf(call)).toEqual([cookie]);
});

test("the header of a convention is sent with its cookie, although the capture was exported without cookies", async () => {
  const [, call] = await requestsFrom(
    { path: "/" },
    { path: "/api/x", method: "POST", headers: { "X-XSRF-TOKEN": `${token}=` } },
  );
  expect(headerOf(call)).toEqual([{ ...cookie, isDecoded: true }]);
});

test("a cookie whose value has changed since is not used", async () => {
  const [first, , call] = await requestsFrom(
    { path: "/", response: { headers: { "set-cookie": `XSRF-TOKEN=${token}` }, json: { xsrf: token } } },
    { path: "/next", response: { headers: { "set-cookie": `XSRF-TOKEN=${otherToken}` } } },
    { path: "/api/x", method: "POST", headers: { "X-XSRF-TOKEN": token } },
  );
  expect(headerOf(call)).toEqual([{ kind: "extracted", name: "xsrf" }]);
  expect(first?.extractions).toEqual([{ name: "xsrf", from: { json: "xsrf" } }]);
  expect(sent(call)).toMatchObject({ "X-XSRF-TOKEN": "{xsrf}" });
});
