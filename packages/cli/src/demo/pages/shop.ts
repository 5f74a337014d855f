import { escapeHtml } from "@bearhug/text/printable";
import {
  findProduct,
  formatPrice,
  pageCount,
  type Product,
  products,
  productsOnPage,
  searchProducts,
} from "../catalog.ts";
import { compressed, html, type Reply } from "../reply.ts";
import { get, type Route } from "../route.ts";
import { layout } from "./layout.ts";
import { notFound } from "./not-found.ts";

/** Returns the routes of the shop's pages, which are rendered once. */
export function shopRoutes(): readonly Route[] {
  const lists = new Map(Array.from({ length: pageCount }, (_, index) => [index + 1, renderList(index + 1)]));
  const details = new Map(products.map((product) => [product.id, renderProduct(product)]));
  return [
    get(
      "/products",
      `Products, ten to a page, with their pictures (?page=1 to ${pageCount})`,
      ({ query }) => lists.get(Number(query.get("page") ?? 1)) ?? notFound,
    ),
    get(
      "/products/:id",
      `One product, 1 to ${products.length}; others are a 404`,
      ({ params }) => details.get(findProduct(params["id"])?.id ?? 0) ?? notFound,
    ),
    get("/search", "Products whose name contains ?q=", ({ query }) => renderSearch(query.get("q") ?? "")),
  ];
}

function renderList(page: number): Reply {
  const links = Array.from({ length: pageCount }, (_, index) => String(index + 1)).map((target) =>
    target === String(page) ? `<b>${target}</b>` : `<a href="/products?page=${target}">${target}</a>`,
  );
  const main = `    <h1>Products</h1>
${renderCards(productsOnPage(page))}
    <p class="pager">${links.join(" ")}</p>`;
  return compressed(html(layout(`Products, page ${page}`, main)));
}

function renderCards(shown: readonly Product[]): string {
  const cards = shown.map(
    ({ id, name, priceCents }) =>
      `      <li><a href="/products/${id}"><img src="/images/${id}.png" alt="" width="96" height="96">` +
      `${escapeHtml(name)}</a> ${formatPrice(priceCents)}</li>`,
  );
  return `    <ul class="cards">\n${cards.join("\n")}\n    </ul>`;
}

function renderProduct({ id, name, priceCents, stock }: Product): Reply {
  const main = `    <h1>${escapeHtml(name)}</h1>
    <img class="picture" src="/images/${id}.png" alt="" width="192" height="192">
    <p>${formatPrice(priceCents)} · ${stock === 0 ? "sold out" : `${stock} in stock`}</p>
    <button data-product="${id}">Add to cart</button> <output></output>
    <p><a href="/products/${id}/review">Write a review</a></p>`;
  return compressed(html(layout(name, main)));
}

function renderSearch(words: string): Reply {
  const found = searchProducts(words);
  const main = `    <h1>Search</h1>
    <form action="/search"><input name="q" value="${escapeHtml(words)}" aria-label="Words"> <button>Search</button></form>
    <p>${found.length} found.</p>
${renderCards(found)}`;
  return html(layout("Search", main));
}
