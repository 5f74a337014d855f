import { expect, test } from "vitest";
import { serveCookie } from "../../src/mock/response-headers.ts";
import { captureOf } from "./capture-of.ts";
import { fetchFrom, withMock } from "./with-mock.ts";

const recordedAtMs = Date.UTC(2016, 0, 2);

test.each([
  ["csrf=abc; Path=/; HttpOnly", "csrf=abc; Path=/; HttpOnly"],
  ["csrf=a=b;domain=.shop.test; Secure;SameSite=None; Partitioned", "csrf=a=b"],
  ["a=1; SameSite=Lax; Max-Age=60", "a=1; SameSite=Lax; Max-Age=60"],
  ["a=1; Expires=Sun, 03 Jan 2016 00:00:00 GMT; Path=/", "a=1; Path=/"],
  ["a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ["a=; expires=Thu, 01-Jan-1970 00:00:10 GMT", "a=; expires=Thu, 01-Jan-1970 00:00:10 GMT"],
  ["a=; expires=Sun, 03-Jan-2016 00:00:10 GMT", "a="],
  ["a=1; Expires=never", "a=1; Expires=never"],
  ["__Host-id=1; Secure; Path=/", "__Host-id=1; Secure; Path=/"],
  ["__Secure-id=1; Secure; Domain=shop.test", "__Secure-id=1; Secure"],
  ["", ""],
  [";;", ";;"],
])("%j is served as %j", (recorded, served) => {
  expect(serveCookie(recorded, recordedAtMs)).toBe(served);
});

test("the cookies of a response are served with it, each in its own header", async () => {
  const headers = [
    ["Set-Cookie", "csrf=abc; Secure"],
    ["set-cookie", "theme=dark; Domain=shop.test"],
  ] as const;
  await withMock(captureOf([{ startedAtMs: recordedAtMs, response: { headers } }]), async (mock) => {
    const response = await fetchFrom(mock, "/");
    const [csrf, theme, own, ...rest] = response.headers.getSetCookie();
    expect([csrf, theme, rest]).toEqual(["csrf=abc", "theme=dark", []]);
    expect(own).toMatch(/^bearhug_mock=/);
  });
});
