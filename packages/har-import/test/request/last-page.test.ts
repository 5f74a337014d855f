import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, pageOf, requestsOf } from "../har-file.ts";

const site = "https://shop.test";

/** Captures pages in this order; `POST /login` begins a session and leads to `/account`. */
async function landings(...lines: readonly string[]): Promise<readonly (string | null)[]> {
  let second = 0;
  const at = () => ({ startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, second++)).toISOString() });
  const pages: Record<string, unknown>[] = [];
  const page = (path: string) => {
    const id = `page_${pages.length}`;
    const time = at();
    pages.push(pageOf(id, time));
    return documentOf(site + path, { ...time, pageref: id, _resourceType: "document" });
  };
  const login = () => {
    const time = at();
    const id = `page_${pages.length}`;
    pages.push(pageOf(id, time));
    const mimeType = "application/x-www-form-urlencoded";
    const request = { method: "POST", postData: { mimeType, text: "user=ann&password=sesame-1961" } };
    const headers = [
      { name: "Location", value: "/account" },
      { name: "Set-Cookie", value: "SESSID=q8Zt4LxV0bN7sKe2Hd9RmY3u; Path=/" },
    ];
    const response = { status: 302, headers, redirectURL: "/account" };
    const common = { pageref: id, _resourceType: "document" };
    return [
      entryOf(`${site}/login`, { ...time, ...common, request, response }),
      documentOf(`${site}/account`, { ...at(), ...common }),
    ];
  };
  const entries = lines.flatMap((line) => (line === "POST /login" ? login() : [page(line)]));
  const model = await importEntries(entries, pages);
  return requestsOf(model).map(({ landsOn }) => landsOn);
}

test("after a login the last page is checked to be itself: a lost session leads to the form, with a 200", async () => {
  expect(await landings("/login", "POST /login", "/orders", "/invoices")).toEqual([
    null,
    "/account",
    null,
    "/invoices",
  ]);
});

test.each([
  [
    "an id in its path",
    ["/login", "POST /login", "/orders", "/orders/4711"],
    [null, "/account", "/orders", null],
  ],
  [
    "what follows the logout",
    ["/login", "POST /login", "/orders", "/logout", "/help"],
    [null, "/account", "/orders", null, null],
  ],
  ["the form's own page", ["/", "POST /login", "/"], [null, "/account", null]],
  ["pages without a login", ["/login", "/orders"], [null, null]],
])("it is not %s", async (_, lines, expected) => {
  expect(await landings(...lines)).toEqual(expected);
});
