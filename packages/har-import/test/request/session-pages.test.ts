import { expect, test } from "vitest";
import { landingAddress } from "../../src/path-pattern.ts";
import { documentOf, entryOf, importEntries, pageOf, requestsOf } from "../har-file.ts";

const site = "https://shop.test";
const session = { name: "Set-Cookie", value: "SESSID=q8Zt4LxV0bN7sKe2Hd9RmY3u; Path=/" };
const form = { mimeType: "application/x-www-form-urlencoded", text: "user=ann&password=sesame-1961" };

/** Imports a capture of these page loads and returns where each must land; `POST /login > /account` begins a session. */
async function landings(...lines: readonly string[]): Promise<readonly (string | null)[]> {
  const pages = lines.map((_, index) => pageOf(`page_${index}`, atSecond(index)));
  const entries = lines.flatMap((line, index) => {
    const [, method, path = "", to, kept] =
      /^(POST )?(\S+)(?: > (\S+))?( in the same session)?$/.exec(line) ?? [];
    const page = { ...atSecond(index), pageref: `page_${index}`, _resourceType: "document" };
    if (to === undefined) return [documentOf(site + path, page)];
    const headers = [
      { name: "Location", value: to },
      ...(method === undefined || kept !== undefined ? [] : [session]),
    ];
    const request = method === undefined ? {} : { method: "POST", postData: form };
    const response = { status: 302, headers, redirectURL: to };
    return [entryOf(site + path, { ...page, request, response }), documentOf(site + to, page)];
  });
  const model = await importEntries(entries, pages);
  return requestsOf(model).map(landingAddress);
}

function atSecond(second: number): { startedDateTime: string } {
  return { startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() };
}

test("after a login, the last page must land on its own path, because a lost session leads to the login form", async () => {
  const ends = await landings("/login", "POST /login > /account", "/orders", "/invoices");
  expect(ends).toEqual([null, "/account", null, "/invoices"]);
});

test("a login that sets no new session cookie is recognized by its password, if there is no other login", async () => {
  const kept = "POST /login > /account in the same session";
  expect(await landings("/login", kept, "/orders")).toEqual([null, "/account", "/orders"]);
  const ends = await landings(
    "/login",
    "POST /login > /account",
    "/orders",
    "POST /password > /account in the same session",
  );
  expect(ends).toEqual([null, "/account", "/orders", "/account"]);
});

test.each([
  ["an id in its path", ["/orders", "/orders/4711"], ["/orders", null]],
  ["a page after the logout", ["/orders", "/logout", "/help"], ["/orders", null, null]],
  ["the page of the form", ["/login"], [null]],
])("the page that must land on its own path is not %s", async (_, lines, ends) => {
  expect(await landings("/login", "POST /login > /account", ...lines)).toEqual([null, "/account", ...ends]);
});

test("a site with all its pages at one path is checked for the parameter that chooses the page", async () => {
  const at = (route: string): string => `/index.php?route=${route}`;
  const ends = await landings(
    at("home"),
    `${at("account/orders")} > ${at("account/login")}`,
    `POST ${at("account/login")} > ${at("account/home")}&user_id=7`,
    at("account/orders"),
    `POST ${at("account/address")} > ${at("account/home")}&success=1 in the same session`,
    at("help"),
  );
  const [, toForm, login, orders, address, help] = ends;
  expect([toForm, login, address]).toEqual([null, at("account/home"), `${at("account/home")}&success=1`]);
  expect([orders, help]).toEqual([at("account/orders"), at("help")]);
});

test("a page that showed itself without a login reveals no lost session, so one that did not is checked instead", async () => {
  const visit = ["/", "/login", "POST /login > /account", "/orders", "/"];
  expect(await landings(...visit)).toEqual([null, null, "/account", "/orders", null]);
  expect(await landings("/", "POST / > /account", "/orders", "/")).toEqual([
    null,
    "/account",
    "/orders",
    null,
  ]);
  expect(await landings("/", "/login", "POST /login > /account", "/")).toEqual([null, null, "/account", "/"]);
});

test("a page that is known to require the login is checked even if others follow", async () => {
  const visit = ["/orders > /login", "POST /login > /account", "/orders", "/imprint"];
  expect(await landings(...visit)).toEqual([null, "/account", "/orders", "/imprint"]);
});

test("without another page after the login, the last JSON must come from its own path", async () => {
  const page = { pageref: "page_0", _resourceType: "fetch" };
  const content = { size: 9, mimeType: "application/json", text: '{"a": [1]}' };
  const load = (path: string, second: number, more: Parameters<typeof entryOf>[1] = {}): unknown =>
    entryOf(site + path, { ...page, ...atSecond(second), ...more, response: { content, ...more.response } });
  const entries = [
    documentOf(`${site}/`, { ...atSecond(0), pageref: "page_0", _resourceType: "document" }),
    load("/api/shop", 1),
    load("/api/login", 5, {
      request: { method: "POST", postData: form },
      response: { headers: [session], content },
    }),
    load("/api/orders", 8),
    load("/api/orders/4711", 10),
    load("/api/shop", 12),
    load("/logo", 14, { response: { content: { size: 5, mimeType: "image/png" } } }),
  ];
  const model = await importEntries(entries, [pageOf("page_0", atSecond(0))]);
  const ends = requestsOf(model).map(({ path, landsOn }) => [path.length, landsOn]);
  expect(ends.filter(([, landsOn]) => landsOn !== null)).toEqual([[2, "/api/orders"]]);
});

test("a file of JSON, which is open to everyone, does not stand for the data of members", async () => {
  const page = { pageref: "page_0", _resourceType: "fetch" };
  const content = { size: 9, mimeType: "application/json", text: '{"a": [1]}' };
  const load = (path: string, second: number): unknown =>
    entryOf(site + path, { ...page, ...atSecond(second), response: { content } });
  const landingsAfter = async (...paths: readonly string[]): Promise<unknown> => {
    const login = entryOf(`${site}/api/login`, {
      ...page,
      ...atSecond(5),
      request: { method: "POST", postData: form },
      response: { headers: [session], content },
    });
    const document = documentOf(`${site}/`, { ...atSecond(0), pageref: "page_0", _resourceType: "document" });
    const loads = paths.map((path, index) => load(path, 10 + index));
    const model = await importEntries([document, login, ...loads], [pageOf("page_0", atSecond(0))]);
    return requestsOf(model).flatMap(({ landsOn }) => landsOn ?? []);
  };
  expect(await landingsAfter("/api/orders", "/locales/en.json")).toEqual(["/api/orders"]);
  expect(await landingsAfter("/orders.json")).toEqual(["/orders.json"]);
});

test("a page that redirected to the login form need not do so again, as a visitor may have a session", async () => {
  expect(await landings("/orders > /login", "POST /login > /orders")).toEqual([null, "/orders"]);
  expect(await landings("/start > /shop", "/orders > /login", "POST /login > /orders")).toEqual([
    "/shop",
    null,
    "/orders",
  ]);
});

test("without a login, only the targets of redirects are checked", async () => {
  expect(await landings("/login", "/orders > /login", "/invoices")).toEqual([null, "/login", null]);
});
