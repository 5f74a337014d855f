import { describe, expect, test } from "vitest";
import { otherToken, requestsFrom, sent, token } from "./visit-in-steps.ts";

const page = { path: "/" };
const contentType = { "content-type": "application/json" };

describe("a value that a response supplies is extracted", () => {
  test("from a hidden field into a submitted form", async () => {
    const html = `<form><input type="hidden" name="csrf" value="a&amp;${token}"></form>`;
    const [login, post] = await requestsFrom(
      { path: "/login", response: { html } },
      { path: "/login", form: { user: "ann", csrf: `a&${token}` } },
    );
    expect(login?.extractions).toEqual([{ name: "csrf", from: { field: "csrf" } }]);
    expect(sent(post)).toMatchObject({ csrf: "{csrf}" });
  });

  test("from the first of several forms with the same token", async () => {
    const form = `<form><input type="hidden" name="_csrf" value="${token}"></form>`;
    const [first, save] = await requestsFrom(
      { path: "/", response: { html: form.repeat(4) } },
      { path: "/save", form: { _csrf: token, n: "1" } },
    );
    expect(first?.extractions).toEqual([{ name: "csrf", from: { field: "_csrf" } }]);
    expect(sent(save)).toMatchObject({ _csrf: "{csrf}" });
  });

  test("from JSON into an Authorization header, after its scheme, and into other places", async () => {
    const [, login, me, cart] = await requestsFrom(
      page,
      { path: "/api/login", json: { user: "ann" }, response: { json: { auth: { token } } } },
      { path: "/api/me", headers: { Authorization: `Bearer ${token}` } },
      { path: "/api/cart", headers: { "X-Auth": `a:${token}` }, json: { note: `token:${token}!` } },
    );
    expect(login?.extractions).toEqual([{ name: "token", from: { json: "auth.token" } }]);
    expect(sent(me)).toMatchObject({ Authorization: "Bearer {token}" });
    expect(sent(cart)).toMatchObject({ "X-Auth": "a:{token}", note: "token:{token}!" });
  });

  test("from a meta element into a header", async () => {
    const html = `<html><head><meta name="csrf-token" content="${token}"></head>`;
    const [first, call] = await requestsFrom(
      { path: "/", response: { html } },
      { path: "/api/x", method: "POST", headers: { "X-CSRF-Token": token } },
    );
    expect(first?.extractions).toEqual([{ name: "csrfToken", from: { meta: "csrf-token" } }]);
    expect(sent(call)).toMatchObject({ "X-CSRF-Token": "{csrfToken}" });
  });

  test("from a header into a query", async () => {
    const [first, call] = await requestsFrom(
      { path: "/", response: { headers: { "X-Upload-Ticket": token } } },
      { path: `/upload?ticket=${token}` },
    );
    expect(first?.extractions).toEqual([{ name: "uploadTicket", from: { header: "x-upload-ticket" } }]);
    expect(sent(call)).toMatchObject({ ticket: "{uploadTicket}" });
  });

  test.for([
    ["nextCursor", "cursor", "aWQ6MTYzNTk="],
    ["next_cursor", "cursor", "FZ79jHjG4FbU"],
    ["cursor", "cursor", "1700606684"],
    ["endCursor", "after", "YXJyYXk6NjM="],
    ["nextPageToken", "page_token", "CC3634388"],
    ["next_token", "nextToken", "yYi7KOCo"],
    ["continuationToken", "continuation", "d52ce7850505"],
    ["next", "page", "p1eb035227d"],
    ["nextOffset", "offset", "1838"],
  ] as const)(
    "from JSON into the parameter that loads the next page: %s into %s",
    async ([name, parameter, value]) => {
      const [list, next, other] = await requestsFrom(
        { path: "/api/list1", response: { json: { items: [{ id: 1 }], meta: { [name]: value } } } },
        { path: `/api/list1?limit=2&${parameter}=${encodeURIComponent(value)}` },
        { path: `/api/list1?width=${encodeURIComponent(value)}` },
      );
      const extracted = list?.extractions[0]?.name ?? "";
      expect(list?.extractions.map(({ from }) => from)).toEqual([{ json: `meta.${name}` }]);
      expect(sent(next)).toMatchObject({ limit: "2", [parameter]: `{${extracted}}` });
      expect(sent(other)).toMatchObject({ width: value });
    },
  );

  test.for([
    ["/dl?token=", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${token}`, ""],
    ["/files/", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${token}`, "/a.txt"],
    ["/files/", `7.${token}`, "/view"],
    ["/confirm?s=", `Mw:1rXyZ9:${token}`, ""],
  ] as const)("from a link, whole: %s with %s", async ([before, value, after]) => {
    const [first, get] = await requestsFrom(
      { path: "/", response: { html: `<a href="${before}${value}${after}">Go</a>` } },
      { path: `${before}${value}${after}` },
    );
    expect(first?.extractions).toHaveLength(1);
    const known = Object.values(sent(get)).join(" ");
    expect(known).toContain(`{${first?.extractions[0]?.name}}`);
    expect(known.match(/\{/g)).toHaveLength(1);
    for (const part of value.split(/[.:]/)) expect(known).not.toContain(part);
  });

  test("from a form's field for an id, also if it is a short number, but not from another field", async () => {
    const html = `<input type="hidden" name="cart_id" value="12"><input name="quantity" value="12">`;
    const [, pay] = await requestsFrom(
      { path: "/checkout", response: { html } },
      { path: "/pay", form: { cart_id: "12", quantity: "12" } },
    );
    expect(sent(pay)).toMatchObject({ cart_id: "{cartId}", quantity: "12" });
  });

  test("from JSON in an attribute", async () => {
    const snapshot = (checksum: string): string =>
      JSON.stringify({ data: { count: 0 }, memo: { id: "k3Jq9ZpX2vLm8RtW", uuid: "a" }, checksum });
    const html = `<div wire:snapshot="${snapshot(token).replaceAll('"', "&quot;")}">`;
    const [first, update] = await requestsFrom(
      { path: "/", response: { html } },
      { path: "/livewire/update", json: { snapshot: snapshot(token) } },
    );
    expect(first?.extractions).toEqual([
      { name: "checksum", from: { between: ["checksum&quot;:&quot;", "&"] } },
      { name: "snapshot", from: { between: ["memo&quot;:{&quot;id&quot;:&quot;", "&"] } },
    ]);
    expect(sent(update)["snapshot"]).toBe(snapshot("{checksum}").replace("k3Jq9ZpX2vLm8RtW", "{snapshot}"));
  });

  test("from a hidden field in ASP.NET's response to a partial postback", async () => {
    const state = (value: string): string => `/wEPDwUK${value}gQ==`;
    const delta = `1|#||4|9|updatePanel|panel|<b>Hi</b>|32|hiddenField|__VIEWSTATE|${state(otherToken)}|8|hiddenField|__VIEWSTATEGENERATOR|CA0B0334|`;
    const [first, panel, save] = await requestsFrom(
      {
        path: "/order.aspx",
        response: { html: `<input type="hidden" name="__VIEWSTATE" value="${state(token)}">` },
      },
      {
        path: "/order.aspx",
        form: { __VIEWSTATE: state(token), __ASYNCPOST: "true" },
        response: { html: delta, headers: { "content-type": "text/plain; charset=utf-8" } },
      },
      { path: "/order.aspx", form: { __VIEWSTATE: state(otherToken), save: "Save" } },
    );
    expect(first?.extractions).toMatchObject([{ from: { field: "__VIEWSTATE" } }]);
    expect(panel?.extractions).toMatchObject([{ from: { between: ["hiddenField|__VIEWSTATE|", "|"] } }]);
    expect(sent(save)["__VIEWSTATE"]).toMatch(/^\{\w+\}$/);
  });

  test("but a long id that is sent under another name is only noted, and a short one may be anything", async () => {
    const html = `<script>state = {"user":{"id":784760}}</script>`;
    const [, save, other] = await requestsFrom(
      { path: "/", response: { html } },
      { path: "/save", form: { uid: "784760" } },
      { path: "/api/state", response: { json: { id: 4760 } } },
      { path: "/size", form: { width: "4760" } },
    );
    expect(sent(save)).toMatchObject({ uid: "784760" });
    expect(save?.hints).toEqual([expect.stringMatching(/^"uid" may come from the response to GET \//)]);
    expect(other?.hints).toEqual([]);
  });

  test("from the query of a redirect's target", async () => {
    const [authorize, exchange] = await requestsFrom(
      { path: "/authorize?client=7", response: { status: 302, headers: { location: `/cb?code=${token}` } } },
      { path: `/cb?code=${token}` },
      { path: "/token", form: { code: token } },
    );
    expect(authorize?.redirectedTo).toEqual([1]);
    expect(authorize?.extractions).toEqual([{ name: "code", from: { query: "code" } }]);
    expect(sent(exchange)).toMatchObject({ path: "/token", code: "{code}" });
  });

  test("from the path of a redirect's target", async () => {
    const [, order, pay] = await requestsFrom(
      page,
      {
        path: "/orders",
        form: { n: "1" },
        response: { status: 302, headers: { location: "/orders/77123" } },
      },
      { path: "/orders/77123" },
      { path: "/orders/77123/pay", form: { card: "1" } },
    );
    expect(order?.extractions).toEqual([{ name: "orderId", from: { segment: -1 } }]);
    expect(sent(pay)).toMatchObject({ path: "/orders/{orderId}/pay" });
  });

  test("from the path of a created resource's Location header", async () => {
    const [, made, read] = await requestsFrom(
      page,
      {
        path: "/api/docs",
        json: { n: 1 },
        response: {
          status: 201,
          html: "",
          headers: { location: "https://shop.example/api/docs/77123/parts" },
        },
      },
      { path: "/api/docs/77123/parts" },
    );
    expect(made?.extractions).toEqual([{ name: "docId", from: { segment: -2 } }]);
    expect(sent(read)).toMatchObject({ path: "/api/docs/{docId}/parts" });
  });

  test("from between two texts, if it is in no field", async () => {
    const html = `<script>window.config = {"siteKey": "${token}", "x": 1}</script>`;
    const [first, call] = await requestsFrom(
      { path: "/", response: { html } },
      { path: `/api/${token}/start`, method: "POST" },
    );
    expect(first?.extractions).toEqual([{ name: "siteKey", from: { between: ['"siteKey": "', '"'] } }]);
    expect(sent(call)).toMatchObject({ path: "/api/{siteKey}/start" });
  });

  test("from the submitted form, if several pages and forms have a field with that name", async () => {
    const formsOf = (first: string, second: string) => ({
      html: `<input name="csrf" value="${first}"><input name="csrf" value="${second}">`,
    });
    const [first, second, post] = await requestsFrom(
      { path: "/a", response: formsOf(otherToken, token) },
      { path: "/b", response: formsOf(otherToken, token) },
      { path: "/b", form: { csrf: token } },
    );
    expect(first?.extractions).toEqual([]);
    expect(second?.extractions).toEqual([{ name: "csrf", from: { field: "csrf", nth: 2 } }]);
    expect(sent(post)).toMatchObject({ csrf: "{csrf}" });
  });

  test("by its name if it is the short id of a created resource", async () => {
    const [, order, pay, item] = await requestsFrom(
      page,
      { path: "/api/orders", json: { sku: "x1" }, response: { status: 201, json: { id: 42, total: 1250 } } },
      { path: "/api/orders/42/payment", json: { amount: 42 } },
      { path: "/api/reviews", json: { orderId: 42, stars: 42 } },
    );
    expect(order?.extractions).toEqual([{ name: "orderId", from: { json: "id" } }]);
    expect(sent(pay)).toMatchObject({ path: "/api/orders/{orderId}/payment", amount: "42" });
    expect(sent(item)).toMatchObject({ orderId: "{orderId}", stars: "42" });
  });

  test("by its name from the page to which a form led", async () => {
    const html = `<a href="/orders">All</a> <form action="/orders/1042/payment" method="post">`;
    const [, order, , pay] = await requestsFrom(
      page,
      {
        path: "/orders",
        form: { sku: "x1" },
        response: { html },
      },
      { path: "/terms" },
      { path: "/orders/1042/payment", form: { method: "invoice" } },
    );
    expect(order?.extractions).toEqual([{ name: "orderId", from: { between: ['action="/orders/', "/"] } }]);
    expect(sent(pay)).toMatchObject({ path: "/orders/{orderId}/payment" });
  });

  test("from a form field that users do not fill in", async () => {
    const html = `<input type="hidden" name="__VIEWSTATEGENERATOR" value="CA0B0334"><input name="page" value="search">`;
    const [form, post] = await requestsFrom(
      { path: "/a", response: { html } },
      { path: "/a", form: { __VIEWSTATEGENERATOR: "CA0B0334", page: "search" } },
    );
    expect(form?.extractions.map(({ from }) => from)).toEqual([{ field: "__VIEWSTATEGENERATOR" }]);
    expect(sent(post)).toMatchObject({ page: "search" });
  });
});

describe("a value that is sent back under the name with which it was received is extracted", () => {
  test("a version or an entity tag, which guards against concurrent changes", async () => {
    const [, read, write] = await requestsFrom(
      page,
      {
        path: "/api/cart",
        response: {
          headers: { ETag: '"fd6e79bd58"' },
          json: { version: 462253, rev: "3-9fa2bb", revision: 17 },
        },
      },
      {
        path: "/api/cart",
        method: "PUT",
        headers: { "If-Match": '"fd6e79bd58"' },
        json: { version: 462253, rev: "3-9fa2bb", revision: 17, other: 17 },
      },
    );
    expect(read?.extractions).toEqual([
      { name: "etag", from: { header: "etag" } },
      { name: "version", from: { json: "version" } },
      { name: "rev", from: { json: "rev" } },
      { name: "revision", from: { json: "revision" } },
    ]);
    expect(sent(write)).toMatchObject({
      "If-Match": "{etag}",
      version: "{version}",
      rev: "{rev}",
      revision: "{revision}",
      other: "17",
    });
  });

  test("a value in the query of a link, if it mixes letters and digits", async () => {
    const [first, next] = await requestsFrom(
      { path: "/", response: { html: '<a href="/detail?id=7&amp;ctx=97b013b8ac88">detail</a>' } },
      { path: "/detail?id=7&ctx=97b013b8ac88" },
    );
    expect(first?.extractions).toEqual([{ name: "ctx", from: { between: ["amp;ctx=", '"'] } }]);
    expect(sent(next)).toMatchObject({ id: "7", ctx: "{ctx}" });
  });

  test("a number in a hidden field, but not in a field that the user chose", async () => {
    const html = '<input name="cart_version" value="48213"><input name="year" value="2026">';
    const [first, post] = await requestsFrom(
      { path: "/", response: { html } },
      { path: "/", form: { cart_version: "48213", year: "2026" } },
    );
    expect(first?.extractions).toEqual([{ name: "cartVersion", from: { field: "cart_version" } }]);
    expect(sent(post)).toMatchObject({ cart_version: "{cartVersion}", year: "2026" });
  });
});

describe("the id of a created resource is recognized under any name", () => {
  test("as a single value and in lists", async () => {
    const [, note, , link] = await requestsFrom(
      page,
      { path: "/notes", json: { title: "One" }, response: { status: 201, json: { data: { id: "263467" } } } },
      { path: "/notes/263467" },
      { path: "/link", json: { from: 263467, ids: [263467], text: "263467" } },
    );
    expect(note?.extractions).toEqual([{ name: "noteId", from: { json: "data.id" } }]);
    expect(sent(link)).toEqual({ path: "/link", from: "{noteId}", text: "{noteId}", ...contentType });
    expect(JSON.stringify(link?.body)).not.toContain('"text":"263467"');
  });

  test("unless it is so short that it may be an unrelated number", async () => {
    const [, note, , link] = await requestsFrom(
      page,
      { path: "/notes", json: { title: "One" }, response: { status: 201, json: { id: 42 } } },
      { path: "/notes/42" },
      { path: "/link", json: { width: 42 } },
    );
    expect(note?.extractions).toHaveLength(1);
    expect(sent(link)).toMatchObject({ width: "42" });
  });
});

describe("an uncertain value is sent as recorded", () => {
  test("with a hint, if the user chose from a list", async () => {
    const products = [{ id: 1001 }, { id: 1002 }, { id: 1003 }];
    const [list, product] = await requestsFrom(
      { path: "/products", response: { json: { products } } },
      { path: "/products/1003" },
    );
    expect(list?.extractions).toEqual([]);
    expect(sent(product)).toMatchObject({ path: "/products/1003" });
    expect(product?.hints).toEqual([
      'the segment after "products" may come from the response to GET /products (JSON "products[2].id")',
    ]);
  });

  test("with a hint, if a list item is too random to be typed, whatever its name", async () => {
    const [, post] = await requestsFrom(
      { path: "/api/offers", response: { json: [{ mark: otherToken }, { mark: token }] } },
      { path: "/api/basket", json: { choice: token } },
    );
    expect(post?.hints).toEqual(['"choice" may come from the response to GET /api/offers (JSON "[1].mark")']);
  });

  test("without a hint, if only the values are equal", async () => {
    const [first, second] = await requestsFrom(
      { path: "/", response: { json: { year: 2026, size: 20, state: "open", lang: "en", width: 1280 } } },
      { path: "/search?year=2026&size=20&state=open&lang=en&height=1280" },
    );
    expect([first?.extractions, second?.hints]).toEqual([[], []]);
  });

  test("if a request contained it before the response did", async () => {
    const requests = await requestsFrom(
      { path: `/?ref=${token}`, response: { json: { token } } },
      { path: "/echo", json: { other: otherToken }, response: { json: { other: otherToken } } },
      { path: `/x?ref=${token}&other=${otherToken}`, response: { json: { late: "x" } } },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });

  test("if the response came later", async () => {
    const requests = await requestsFrom(
      page,
      { path: `/?x=${token}` },
      { path: "/", response: { json: { token } } },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });

  test("in the URL of a file, whose ids are versions", async () => {
    const html = `<link href="/${token}/app.css">`;
    const requests = await requestsFrom(
      { path: "/", response: { html } },
      { path: `/${token}/app.css?v=${token}` },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });

  test("if a JSON key on its path is an id itself, which differs in the next response", async () => {
    const [first] = await requestsFrom(
      { path: "/", response: { json: { [`session-${otherToken}`]: { token } } } },
      { path: "/api/me", headers: { authorization: `Bearer ${token}` } },
    );
    expect(JSON.stringify(first?.extractions)).not.toContain(otherToken);
  });
});
