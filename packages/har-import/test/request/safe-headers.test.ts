import { expect, test } from "vitest";
import { entryOf, importEntries } from "../har-file.ts";

async function keptOf(headers: readonly (readonly [string, unknown])[]): Promise<string[]> {
  const written = headers.map(([name, value]) => ({ name, value }));
  const { pages } = await importEntries([entryOf("https://shop.test/", { request: { headers: written } })]);
  return pages[0]!.requests[0]!.headers.map(([name]) => name);
}

test.each([
  ...["Cookie", "cookie2", "Authorization", "Proxy-Authorization", "Set-Cookie", "X-Api-Key", "X-Auth-User"],
  ...["X-CSRF-Protection", "X-XSRF-TOKEN", "X-Amz-Security-Token", "X-Goog-Authenticated-User", "My-Token"],
  ...["my-secret", "Idempotency-Key", "X-Hub-Signature", "X-Session-Id", "apikey", "X-Accesstoken"],
])("%s is never copied", async (name) => {
  expect(await keptOf([[name, "plain"]])).toEqual([]);
});

test.each([
  ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"],
  ["a bearer token", "Bearer abc"],
  ["a Stripe key", "sk_live_abcdef"],
  ["a GitHub token", "ghp_16C7e42F292c6912E7"],
  ["a Slack token", "xoxb-1234-abcd"],
  ["an AWS key", "AKIAIOSFODNN7EXAMPLE"],
  ["a PEM", "-----BEGIN PRIVATE KEY-----"],
  ["something long and random", "kq8Jd72hLpQ0zXv5Tn3M"],
])("a header of any name is not copied when its value is %s", async (_what, value) => {
  expect(await keptOf([["X-Custom", value]])).toEqual([]);
});

test.each([
  ...[
    ":method",
    ":authority",
    "Host",
    "Connection",
    "Content-Length",
    "Transfer-Encoding",
    "TE",
    "Upgrade",
    "Expect",
  ],
  ...[
    "Accept-Encoding",
    "Content-Encoding",
    "User-Agent",
    "Referer",
    "Origin",
    "Sec-Fetch-Mode",
    "sec-ch-ua",
  ],
])("%s is the connection's or the browser's to write", async (name) => {
  expect(await keptOf([[name, "x"]])).toEqual([]);
});

test("headers that cannot be sent are dropped: no token for a name, control or wide characters in a value", async () => {
  const headers = [
    ["GET /wiki/Special", "x"],
    ["", "x"],
    ["x\r\ny", "x"],
    ["X-A", "a\u{0}b"],
    ["X-B", "東京"],
    ["X-C", "fine"],
  ] as const;
  expect(await keptOf(headers)).toEqual(["X-C"]);
});

test("the rest is kept as recorded, in order, repetitions too; a content type once, where there is a body", async () => {
  const headers = [
    ["Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"],
    ["Accept-Language", "de,en-US;q=0.7"],
    ["If-None-Match", 'W/"124caa2b9290c6ef5f915099d3f97b0d"'],
    ["X-Requested-With", "XMLHttpRequest"],
    ["x-shop-region", "eu"],
    ["x-shop-region", "us"],
    ["Content-Type", "application/json"],
    ["content-type", "text/plain"],
  ] as const;
  expect(await keptOf(headers)).toEqual([
    "Accept",
    "Accept-Language",
    "If-None-Match",
    "X-Requested-With",
    "x-shop-region",
    "x-shop-region",
    "Content-Type",
  ]);
});
