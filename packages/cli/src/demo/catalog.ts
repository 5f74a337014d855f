/** One of the shop's forty products, which are the same at every start. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly priceCents: number;
  readonly stock: number;
}

const kinds = ["honey", "comb", "salve", "candle", "tea", "scarf", "mug", "blanket"];
const flavours = ["Acacia", "Heather", "Linden", "Chestnut", "Clover"];

export const products: readonly Product[] = kinds.flatMap((kind, row) =>
  flavours.map((flavour, column) => {
    const id = row * flavours.length + column + 1;
    return {
      id,
      name: `${flavour} ${kind}`,
      priceCents: 390 + row * 450 + column * 70,
      stock: (id * 7) % 23,
    };
  }),
);

const productsPerPage = 10;
export const pageCount: number = Math.ceil(products.length / productsPerPage);

export function findProduct(id: unknown): Product | undefined {
  return products.find((product) => String(product.id) === String(id));
}

/** Returns the products of a page, counted from 1; empty past the last page. */
export function productsOnPage(page: number): readonly Product[] {
  return products.slice((page - 1) * productsPerPage, page * productsPerPage);
}

export function searchProducts(words: string): readonly Product[] {
  const searched = words.trim().toLowerCase();
  return searched === "" ? [] : products.filter((product) => product.name.toLowerCase().includes(searched));
}

export function formatPrice(cents: number): string {
  return `€\u00a0${(cents / 100).toFixed(2)}`;
}
