import { expect, test } from "vitest";
import { explainCapture, importCapture } from "../../src/index.ts";
import { findPathTokens, isBuiltPath } from "../../src/secrets/path-tokens.ts";
import { bytesOf, documentOf, entryOf, harOf, pageOf } from "../har-file.ts";

test.each([
  "/reset/abc123xyz9/x",
  "https://shop.test/magic-link/abc123xyz9?x=1",
  '<a href="/share/abc123xyz9">',
  "see /password/reset/abc123xyz9 for more",
  "/session/abc123xyz9",
])("%s contains a segment that grants access", (text) => {
  expect(findPathTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual(["abc123xyz9"]);
});

test.each(["/reset/password", "/share/app.1a2b3c.js", "/auth/oauth2", "/items/abc123xyz9", "/invite/"])(
  "%s contains no segment that grants access",
  (text) => {
    expect(findPathTokens(text)).toEqual([]);
  },
);

test.each([
  "/manifest.4ta3m8i3.webmanifest",
  "/manifest-4ta3m8i3vq.webmanifest",
  "/i18n/en_US-messages.4ta3m8i3vqk29dm.json",
  "/models/tokenizer.4ta3m8i3vq.json.gz",
  "/_next/data/4ta3m8i3vqk29dmsw81xq/notes.json",
  "/assets/4ta3m8i3vqk29dmsw81xq",
  "/app.js",
])("%s comes from a build, so it contains no personal secret", (path) => {
  expect(isBuiltPath(path.split("/"))).toBe(true);
});

test.each([
  "/exports/orders.4ta3m8i3vqk29.pdf",
  "/exports/orders.q8Zt4LxV0bN7sKe2Hd9RmY3u.json",
  "/exports/4ta3m8i3-k29dmsw8-1xqz8vb2.json",
  "/exports/4ta3m8i3vqk29dm.json",
  "/exports/4ta3m8i3vqk29dm",
])("%s may contain a personal secret", (path) => {
  expect(isBuiltPath(path.split("/"))).toBe(false);
});

const invited = encodeURIComponent("https://shop.test/invite/abc123xyz9/x");

test.each([
  ["a request to another site", entryOf("https://third.test/reset/abc123xyz9")],
  [
    "a request with an address in a parameter",
    entryOf(`https://www.google-analytics.com/collect?dl=${invited}`),
  ],
  ["an OPTIONS request", entryOf("https://shop.test/share/abc123xyz9", { request: { method: "OPTIONS" } })],
])("%s is omitted, but its token is masked everywhere", async (_what, entry) => {
  const entries = [
    documentOf("https://shop.test/", { pageref: "p" }),
    entry,
    entryOf("https://shop.test/api/a?note=abc123xyz9"),
  ];
  const har = harOf(entries, [pageOf("p", { title: "Of abc123xyz9" })]);
  const imported = await importCapture(() => bytesOf(har));
  expect(JSON.stringify(imported.model)).not.toContain("abc123xyz9");
  expect(explainCapture(imported.model)).not.toContain("abc123xyz9");
});

test.each(["password: Ka1407Tqzj", "Login token=Ka1407Tqzj", "https://bob:Ka1407Tqzj@shop.test/"])(
  "the secret in the page title %s is masked",
  async (title) => {
    const har = harOf([documentOf("https://shop.test/", { pageref: "p" })], [pageOf("p", { title })]);
    expect(JSON.stringify((await importCapture(() => bytesOf(har))).model)).not.toContain("Ka1407Tqzj");
  },
);
