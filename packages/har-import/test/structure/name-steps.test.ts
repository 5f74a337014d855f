import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { nameSteps } from "../../src/structure/name-steps.ts";
import { callOf, documentOf, redirectOf } from "./recorded-visits.ts";

function namesOf(pages: readonly (readonly [title: string, url: string])[]): string[] {
  return nameSteps(pages.map(([title, url]) => ({ title, documents: 1, visits: [documentOf(url)] })));
}

test.each([
  ["Basket", "https://shop.test/x", "Basket"],
  ["Basket | Shop – 50% off", "https://shop.test/x", "Basket Shop 50 off"],
  ["Grüße, 東京", "https://shop.test/x", "Grüße 東京"],
  ["", "https://shop.test/", "home"],
  ["", "https://shop.test/checkout/cart/", "checkout/cart"],
  ["https://shop.test/other?token=1", "https://shop.test/cart?token=1", "cart"],
  ["New Tab", "https://shop.test/cart", "cart"],
  ["about:blank", "https://shop.test/cart", "cart"],
  [
    "Run 1, First View for https://shop.test/wiki/Main_Page?a=b",
    "https://shop.test/",
    "Run 1 First View for wiki/Main_Page",
  ],
  ["Inbox of jane@shop.test", "https://shop.test/", "Inbox of"],
  ["", "https://shop.test/reset/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba/form", "reset/id/form"],
  ["", "https://shop.test/caf%C3%A9/%ff", "café/ff"],
  ["*/ ${process.exit()} \u{1b}[31m`{page:x}`", "https://shop.test/", "/ process.exit 31m page x"],
])("a page titled %j at %s is named %j", (title, url, name) => {
  expect(namesOf([[title, url]])).toEqual([name]);
});

test("a page is named after the document that it displays, not the redirect before it", () => {
  const welcome = documentOf("/welcome");
  const collapsed = { ...redirectOf("/go", "/welcome"), hops: [welcome] };
  expect(nameSteps([{ title: "", documents: 1, visits: [collapsed] }])).toEqual(["welcome"]);
  const apart = [redirectOf("/go", "https://login.test/"), welcome, callOf("/api")];
  expect(nameSteps([{ title: "", documents: 2, visits: apart }])).toEqual(["welcome"]);
});

test.each([
  ["GET", "/", "GET /"],
  ["post", "/api/cart?token=1", "POST /api/cart"],
  ["M-SEARCH", "/a%20b//c/", "MSEARCH /a b/c"],
  ["!#$", "/x", "/x"],
  ["PUT", "/users/jane@shop.test/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba", "PUT /users/id/id"],
  ["GET", "/api/jobs/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba", "GET /api/jobs/id"],
  ["POST", "/api/projects/762833/export", "POST /api/projects/id/export"],
  ["GET", "/orders/ORD-77123/pay", "GET /orders/id/pay"],
  ["GET", "/up/77123.bin", "GET /up/id.bin"],
  ["GET", "/v2/products/5/reviews/2026", "GET /v2/products/id/reviews/id"],
  ["GET", "/collections/notes/records/am9na54mwy6hot8", "GET /collections/notes/records/id"],
  ["GET", "/images/1000.gif", "GET /images/1000.gif"],
  ["GET", "/wiki/wireless-keyboard-2000", "GET /wiki/wireless-keyboard-2000"],
  ["POST", "/carts/cart_oEkZnK_UZmoU/lines", "POST /carts/id/lines"],
  ["GET", "/media/9f86d081884c7d659a2feaa0c55ad015.png", "GET /media/id.png"],
  ["PATCH", "/items/itm_77f0a1c2", "PATCH /items/id"],
  ["GET", "/facade2000/decade", "GET /facade2000/decade"],
  ["GET", "/list.do;jsessionid=05A6F2B3AA88E23C5A999F?view=all", "GET /list.do"],
])("a group that begins with %s %s is named %j", (method, url, name) => {
  expect(nameSteps([{ title: "", documents: 0, visits: [callOf(url, { method })] }])).toEqual([name]);
});

test.each([
  ['{"operationName":"AddTask","query":"mutation AddTask { x }"}', "POST /graphql AddTask"],
  ['{"operationName":null,"query":"{ x }"}', "POST /graphql"],
  ['{"operationName":"*/ ${x}"}', "POST /graphql"],
  ['{"operationName":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}', "POST /graphql"],
  ['["operationName"]', "POST /graphql"],
  ['"operationName"', "POST /graphql"],
  ['{"operationName":', "POST /graphql"],
])("a call that sends %s is named %j", (text, name) => {
  const visit = callOf("/graphql", { method: "POST", requestJson: text });
  expect(nameSteps([{ title: "", documents: 0, visits: [visit] }])).toEqual([name]);
});

test("a GraphQL call is also named after an operation in its query string", () => {
  const visit = callOf("/graphql?operationName=Viewer&variables=%7B%7D");
  expect(nameSteps([{ title: "", documents: 0, visits: [visit] }])).toEqual(["GET /graphql Viewer"]);
});

test("equal names are numbered, skipping numbers that other names already have", () => {
  const url = "https://shop.test/";
  expect(
    namesOf([
      ["Cart", url],
      ["Cart 2", url],
      ["Cart", url],
      ["cart", url],
    ]),
  ).toEqual(["Cart", "Cart 2", "Cart 3", "cart"]);
});

test("a title that is an encoded address is ignored; other encoded titles are decoded", () => {
  const url = "https://shop.test/cart";
  expect(
    namesOf([
      ["http%3A%2F%2Fshop.test%2Fcart%3Fa%3D1", url],
      ["Mein%20Konto", url],
      ["50% off", url],
    ]),
  ).toEqual(["cart", "Mein Konto", "50 off"]);
});

test("long titles are cut after a word, and a single word that is too long is cut anywhere", () => {
  const url = "https://shop.test/";
  const [long, endless] = namesOf([
    ["word ".repeat(40), url],
    ["ab".repeat(100), url],
  ]);
  expect(long).toBe("word ".repeat(12).trim());
  expect(endless).toHaveLength(60);
});

test("names are readable, unique and need no quoting, whatever the title or address", () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 80 });
  const step = fc.record({
    title: fc.oneof(text, fc.constant("")),
    path: text,
    documents: fc.nat(1),
    method: text,
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      const names = nameSteps(
        steps.map(({ title, path, documents, method }) => ({
          title,
          documents,
          visits: [
            callOf(new URL(`https://shop.test/${encodeURIComponent(path.toWellFormed())}`).href, { method }),
          ],
        })),
      );
      expect(new Set(names).size).toBe(steps.length);
      for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}\p{M}._/-][\p{L}\p{N}\p{M} ._/-]{0,80}$/u);
    }),
  );
});
