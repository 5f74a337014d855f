import fc from "fast-check";
import { expect, test } from "vitest";
import { documentOf, importEntries, pageOf } from "../har-file.ts";

async function namesOf(pages: readonly [title: unknown, url: string][]): Promise<string[]> {
  const model = await importEntries(
    pages.map(([, url], index) => documentOf(url, { pageref: String(index) })),
    pages.map(([title], index) => pageOf(String(index), { title })),
  );
  return model.pages.map(({ name }) => name);
}

test.each([
  ["Basket", "https://shop.test/x", "Basket"],
  ["Basket | Shop – 50% off", "https://shop.test/x", "Basket Shop 50 off"],
  ["Grüße, 東京", "https://shop.test/x", "Grüße 東京"],
  ["", "https://shop.test/", "home"],
  [null, "https://shop.test/checkout/cart/", "checkout/cart"],
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
])("a page titled %j at %s is called %j", async (title, url, name) => {
  expect(await namesOf([[title, url]])).toEqual([name]);
});

test("a page is named after the document that it shows, not the redirect before it", async () => {
  const redirect = documentOf("https://shop.test/go", { response: { status: 302 } });
  const { pages } = await importEntries([redirect, documentOf("https://shop.test/welcome")]);
  expect(pages.map(({ name }) => name)).toEqual(["welcome"]);
});

test("names that would be the same are numbered, around names that look numbered already", async () => {
  const url = "https://shop.test/";
  expect(
    await namesOf([
      ["Cart", url],
      ["Cart 2", url],
      ["Cart", url],
      ["cart", url],
    ]),
  ).toEqual(["Cart", "Cart 2", "Cart 3", "cart"]);
});

test("long titles are cut at a word's end, words longer than a name anywhere", async () => {
  const url = "https://shop.test/";
  const [long, endless] = await namesOf([
    ["word ".repeat(40), url],
    ["ab".repeat(100), url],
  ]);
  expect(long).toBe("word ".repeat(12).trim());
  expect(endless).toHaveLength(60);
});

test("whatever a title says, its name is readable, unique, and needs no quoting", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary", maxLength: 80 }), { minLength: 1, maxLength: 5 }),
      async (titles) => {
        const names = await namesOf(titles.map((title) => [title, "https://shop.test/"]));
        expect(new Set(names).size).toBe(titles.length);
        for (const name of names)
          expect(name).toMatch(/^[\p{L}\p{N}\p{M}._/-][\p{L}\p{N}\p{M} ._/-]{0,65}$/u);
      },
    ),
  );
});
