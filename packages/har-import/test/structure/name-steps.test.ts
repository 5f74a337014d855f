import fc from "fast-check";
import { expect, test } from "vitest";
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
  ["", "https://shop.test/reset/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba/form", "reset/form"],
  ["", "https://shop.test/caf%C3%A9/%ff", "café/ff"],
  ["*/ ${process.exit()} \u{1b}[31m`{page:x}`", "https://shop.test/", "/ process.exit 31m page x"],
])("a page titled %j at %s is called %j", (title, url, name) => {
  expect(namesOf([[title, url]])).toEqual([name]);
});

test("a page is named after the document that it shows, not the redirect before it", () => {
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
  ["PUT", "/users/jane@shop.test/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba", "PUT /users"],
])("what %s %s begins is called %j", (method, url, name) => {
  expect(nameSteps([{ title: "", documents: 0, visits: [callOf(url, { method })] }])).toEqual([name]);
});

test("names that would be the same are numbered, around names that look numbered already", () => {
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

test("long titles are cut at a word's end, words longer than a name anywhere", () => {
  const url = "https://shop.test/";
  const [long, endless] = namesOf([
    ["word ".repeat(40), url],
    ["ab".repeat(100), url],
  ]);
  expect(long).toBe("word ".repeat(12).trim());
  expect(endless).toHaveLength(60);
});

test("whatever a title or an address says, names are readable, unique, and need no quoting", () => {
  const text = fc.string({ unit: "binary", maxLength: 80 });
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
