import { describe, expect, test } from "vitest";
import { bodyOf, captureOf, type WrittenEntry } from "./capture-of.ts";
import { fetchFrom, Visitor, withMock } from "./with-mock.ts";

const site = "https://shop.test";

/** Returns an entry with a text as its response body. */
function entryWith(url: string, text: string, rest: WrittenEntry = {}): WrittenEntry {
  return { url: site + url, response: { body: { text } }, ...rest };
}

async function textOf(
  entries: readonly WrittenEntry[],
  path: string,
  init: RequestInit = {},
): Promise<string> {
  let text = "";
  await withMock(captureOf(entries), async (mock) => {
    const response = await fetchFrom(mock, path, init);
    text = response.status === 404 ? "(404)" : await response.text();
  });
  return text;
}

describe("a request is matched with its response", () => {
  const recorded = [
    entryWith("/a?x=1&y=2", "both"),
    entryWith("/a?x=1", "one"),
    entryWith("/a", "none"),
    entryWith("/a?x=1", "posted", { method: "POST" }),
    entryWith("/a?1699", "nameless"),
    entryWith("/caf%C3%A9?gr%C3%B6%C3%9Fe=1+2", "wide"),
  ];

  test.each([
    ["GET", "/a?x=1", "one"],
    ["GET", "/a?x=another", "one"],
    ["GET", "/a?x=", "one"],
    ["GET", "/a?y=5&x=7", "both"],
    ["GET", "/a?x=1&x=2", "one"],
    ["GET", "/a", "none"],
    ["GET", "/a?", "none"],
    ["GET", "/a?1800", "nameless"],
    ["GET", "/a?z=1", "(404)"],
    ["GET", "/a?x=1&y=2&z=3", "(404)"],
    ["GET", "/b?x=1", "(404)"],
    ["POST", "/a?x=9", "posted"],
    ["PUT", "/a?x=1", "(404)"],
    ["GET", "/caf\u{e9}?gr\u{f6}\u{df}e=3", "wide"],
  ])("by method, path and the names of the query: %s %s gets %s", async (method, path, text) => {
    expect(await textOf(recorded, path, { method })).toBe(text);
  });

  test.each([
    ["/list?page=2&size=10", "second"],
    ["/list?size=10&page=2", "second"],
    ["/list?page=1&size=99", "first"],
    ["/list?page=7&size=20", "third"],
    ["/list?page=7&size=99", "first"],
  ])("by query values where the names are the same: %s gets the %s", async (path, text) => {
    const pages = [
      entryWith("/list?page=1&size=10", "first"),
      entryWith("/list?page=2&size=10", "second"),
      entryWith("/list?page=3&size=20", "third"),
    ];
    expect(await textOf(pages, path)).toBe(text);
  });

  test("by its body, once all of it has arrived, whatever its size", async () => {
    const body = "x".repeat(3_000_000);
    const twice = [
      entryWith("/up", "small", { method: "POST", postData: bodyOf("x", "text/plain") }),
      entryWith("/up", "large", { method: "POST", postData: bodyOf("y", "text/plain") }),
    ];
    expect(await textOf(twice, "/up", { method: "POST", body })).toBe("small");
    expect(await textOf(twice, "/up", { method: "POST", body: "y" })).toBe("large");
  });
});

describe("requests that differ only in their bodies", () => {
  const graphQl = (operationName: string, id: string): string =>
    JSON.stringify({ operationName, variables: { id } });
  const json = "application/json";
  const form = "application/x-www-form-urlencoded";
  const post = (text: string, body: string, type: string): WrittenEntry =>
    entryWith("/api", text, { method: "POST", postData: bodyOf(body, type) });

  test.each([
    ["equal bytes", graphQl("Cart", "2"), "cart 2"],
    ["the most equal values", graphQl("Cart", "new"), "cart 1"],
    ["one equal value", JSON.stringify({ operationName: "User", extra: [1, { a: null }] }), "user"],
    ["their order if nothing is equal", "{broken", "cart 1"],
  ])("are told apart by %s", async (_what, body, text) => {
    const calls = [
      post("cart 1", graphQl("Cart", "1"), json),
      post("cart 2", graphQl("Cart", "2"), json),
      post("user", graphQl("User", "7"), json),
    ];
    const init = { method: "POST", body, headers: { "content-type": json } };
    expect(await textOf(calls, "/api", init)).toBe(text);
  });

  test("are told apart by form fields, recorded as text or as fields", async () => {
    const params = [{ name: "action", value: "log out", fileName: null, contentType: null }];
    const calls = [
      post("in", "action=log+in&token=1", form),
      entryWith("/api", "out", {
        method: "POST",
        postData: { mimeType: form, text: "", isBase64: false, params },
      }),
    ];
    const send = (body: string): RequestInit => ({ method: "POST", body, headers: { "content-type": form } });
    expect(await textOf(calls, "/api", send("token=new&action=log%20out"))).toBe("out");
    expect(await textOf(calls, "/api", send("token=new&action=log%20in"))).toBe("in");
  });

  test("are not told apart by the body that browsers record for a GET", async () => {
    const gets = ["first", "second"].map((text) => entryWith("/", text, { postData: bodyOf(text, "") }));
    expect(await textOf(gets, "/", {})).toBe("first");
  });
});

describe("values in a recorded path", () => {
  const uuid = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

  test.each([
    [`/items/${uuid}`, `/items/00000000-8b86-4d01-b42d-00cf4fc964ff`],
    ["/poll/1700000000000", "/poll/1800000000001"],
    ["/reset/9f86d081884c7d659a2feaa0/form", "/reset/dummy/form"],
    ["/t/eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM", "/t/dummy"],
    ["/u/ann%40shop.test", "/u/user@example.com"],
    ["/u/ann@shop.test", "/u/user@example.com"],
    ["/reset/k3yF9a/form", "/reset/dummy/form"],
    ["/reset/9f86d081884c7d659a2feaa0/form", "/reset//form"],
  ])("may differ: %s also matches %s", async (recorded, requested) => {
    expect(await textOf([entryWith(recorded, "found")], requested)).toBe("found");
  });

  test.each([
    ["/users/7", "/users/8"],
    [`/items/${uuid}`, "/items"],
    [`/items/${uuid}`, `/things/${uuid}`],
    [`/items/${uuid}`, `/items/${uuid}/more`],
    [`/items/${uuid}`, `/items/${uuid}?x=1`],
    ["/static/app.9f86d081884c7d659a2f.js", "/static/other.js"],
    ["/blog/2024-year-in-review", "/blog/2025-year-in-review"],
    ["/blog/2024-year-in-review", "/blog/"],
    ["/p/wireless-keyboard-2000", "/p/wireless-keyboard-3000"],
    ["/wiki/%E6%97%A5%E6%9C%AC%E8%AA%9E_2000", "/wiki/other"],
  ])("do not make other paths match: %s does not match %s", async (recorded, requested) => {
    expect(await textOf([entryWith(recorded, "found")], requested)).toBe("(404)");
  });

  test("give way to a path that was recorded exactly", async () => {
    const entries = [entryWith(`/items/${uuid}`, "changing"), entryWith("/items/new", "new")];
    expect(await textOf(entries, "/items/new")).toBe("new");
  });
});

describe("entries that an import would replay come first", () => {
  test("a third party's response to the same path does not take a turn", async () => {
    const html = { mimeType: "text/html" };
    const entries: WrittenEntry[] = [
      { url: "https://shop.test/", response: { ...html, body: { text: "shop" } } },
      { url: "https://ads.other/", response: { body: { text: "ads" } } },
      { url: "https://www.shop.test/", response: { ...html, body: { text: "www" } } },
      { url: "https://ads.other/pixel", response: { body: { text: "pixel" } } },
    ];
    await withMock(captureOf(entries), async (mock) => {
      const visitor = new Visitor(mock);
      expect(await visitor.texts("/", 4)).toEqual(["shop", "www", "shop", "www"]);
      expect(await visitor.texts("/pixel", 1)).toEqual(["pixel"]);
    });
  });

  test("an aborted request is not served if the capture has a real response for the same request line", async () => {
    const entries = [{ response: { status: 0 } }, { response: { status: 503 } }];
    await withMock(captureOf(entries), async (mock) => {
      const visitor = new Visitor(mock);
      expect((await visitor.fetch("/")).status).toBe(503);
      expect((await visitor.fetch("/")).status).toBe(503);
    });
  });
});
