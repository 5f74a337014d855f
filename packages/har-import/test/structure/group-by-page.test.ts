import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, pageOf, pathsOf } from "../har-file.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function request(path: string, second: number, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return entryOf(`https://shop.test${path}`, { startedDateTime: at(second), ...rest });
}

function document(path: string, second: number, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return documentOf(`https://shop.test${path}`, { startedDateTime: at(second), ...rest });
}

test("requests go to the page they point to, in the file's order of pages", async () => {
  const model = await importEntries(
    [
      document("/b", 5, { pageref: "2" }),
      document("/a", 0, { pageref: "1" }),
      request("/a.css", 1, { pageref: "1" }),
    ],
    [pageOf("1", { title: "First" }), pageOf("2", { title: "Second" }), pageOf("3", { title: "Empty" })],
  );
  expect(model.pages.map(({ name }) => name)).toEqual(["First", "Second"]);
  expect(pathsOf(model)).toEqual([["/a", "/a.css"], ["/b"]]);
});

test.each([undefined, [], null])(
  "without pages (%j) everything is one page, named after its document",
  async (pages) => {
    const entries = [request("/img/logo.png", 1), document("/checkout/cart", 0), request("/next", 2)];
    const model = await importEntries(entries, pages as unknown[] | undefined);
    expect(model.pages.map(({ name }) => name)).toEqual(["checkout/cart"]);
    expect(pathsOf(model)).toEqual([["/checkout/cart", "/img/logo.png", "/next"]]);
  },
);

test("a request that points to no page belongs to the one that was running", async () => {
  const pages = [pageOf("1", { startedDateTime: at(0) }), pageOf("2", { startedDateTime: at(10) })];
  const model = await importEntries(
    [
      document("/one", 0, { pageref: "1" }),
      document("/two", 10, { pageref: "2" }),
      request("/poll-a", 5),
      request("/poll-b", 15),
    ],
    pages,
  );
  expect(pathsOf(model)).toEqual([
    ["/one", "/poll-a"],
    ["/two", "/poll-b"],
  ]);
});

test("a page that only requests know of becomes a page at its time", async () => {
  const pages = [pageOf("1", { startedDateTime: at(0) }), pageOf("3", { startedDateTime: at(20) })];
  const model = await importEntries(
    [
      document("/one", 0, { pageref: "1" }),
      document("/two", 10, { pageref: "lost" }),
      request("/two.css", 11, { pageref: "lost" }),
      document("/three", 20, { pageref: "3" }),
    ],
    pages,
  );
  expect(pathsOf(model)).toEqual([["/one"], ["/two", "/two.css"], ["/three"]]);
});

test("of two pages with one id, the one that was running gets the request", async () => {
  const pages = [pageOf("p", { startedDateTime: at(0) }), pageOf("p", { startedDateTime: at(10) })];
  const model = await importEntries(
    [
      document("/one", 0, { pageref: "p" }),
      document("/two", 10, { pageref: "p" }),
      request("/late", 12, { pageref: "p" }),
    ],
    pages,
  );
  expect(pathsOf(model)).toEqual([["/one"], ["/two", "/late"]]);
});

test("numbers are as good as text for an id", async () => {
  const model = await importEntries(
    [document("/one", 0, { pageref: 1 })],
    [pageOf("x"), { id: 1, title: "One" }],
  );
  expect(model.pages.map(({ name }) => name)).toEqual(["One"]);
});

test("the document comes first, the rest in recorded order, equal times as in the file", async () => {
  const model = await importEntries([
    request("/3", 3),
    request("/1a", 1),
    request("/1b", 1),
    document("/doc", 2),
    document("/frame", 4),
    request("/0", 0),
  ]);
  expect(pathsOf(model)).toEqual([["/doc", "/0", "/1a", "/1b", "/3", "/frame"]]);
});

test("entries without a date stay behind the one before them in the file", async () => {
  const model = await importEntries([
    request("/5", 5),
    request("/after-5", 0, { startedDateTime: undefined }),
    document("/1", 1),
    request("/after-1", 0, { startedDateTime: "bad" }),
  ]);
  expect(pathsOf(model)).toEqual([["/1", "/after-1", "/5", "/after-5"]]);
});

test("a page begins with the redirect that led to its document; each hop is a request of its own", async () => {
  const hop = (path: string, second: number) =>
    request(path, second, { response: { status: 302, content: { mimeType: "text/plain" } } });
  const model = await importEntries([
    hop("/start", 0),
    hop("/session", 1),
    document("/start", 2),
    request("/a.css", 3),
  ]);
  expect(pathsOf(model)).toEqual([["/start", "/session", "/start", "/a.css"]]);
  expect(model.pages[0]?.requests.map(({ recordedStatus }) => recordedStatus)).toEqual([302, 302, 200, 200]);
});

test("a picture that was redirected is no page's beginning, and 304 is no redirect", async () => {
  const picture = request("/moved.png", 0, {
    request: { headers: [{ name: "Accept", value: "image/*" }] },
    response: { status: 302 },
  });
  const cached = request("/cached.png", 1, { response: { status: 304 } });
  expect(pathsOf(await importEntries([picture, cached, document("/doc", 2)]))).toEqual([
    ["/doc", "/moved.png", "/cached.png"],
  ]);
});

test("what the browser calls a document is one, and a fetched fragment of HTML is none", async () => {
  const fragment = document("/fragment", 0, { _resourceType: "fetch" });
  const old = document("/old", 1, {
    request: { headers: [{ name: "X-Requested-With", value: "XMLHttpRequest" }] },
  });
  const page = request("/page.json", 2, { _resourceType: "document" });
  expect(pathsOf(await importEntries([fragment, old, page]))).toEqual([["/page.json", "/fragment", "/old"]]);
});
