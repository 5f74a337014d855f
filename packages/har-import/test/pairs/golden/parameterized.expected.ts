// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isNotHtml, statusIs } from "@bearhug/sdk";
import search from "./data/search.json" with { type: "json" };

const imageHeaders = {
  accept: "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
};

/** The data row for this occurrence. Wraps around after the last row. */
function rowOf<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index % rows.length];
  if (row === undefined) throw new Error("The data file has no rows.");
  return row;
}

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: {
    headers: {
      accept:
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
      "accept-language": "en-GB,en;q=0.9",
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.8%"],
    http_req_failed: ["rate<0.5%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Shop}": ["p(95)<500ms"],
    "page_duration{page:Teapot}": ["p(95)<500ms"],
    "page_duration{page:Kettle}": ["p(95)<500ms"],
    "page_duration{page:Samovar}": ["p(95)<500ms"],
    "page_duration{page:Search}": ["p(95)<500ms"],
    "page_duration{page:Search 2}": ["p(95)<500ms"],
    "page_duration{page:Search 3}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think, iteration }) => {
        await page("Shop", async () => {
          check(await http.get("/"), { ...statusIs(200), ...isHtml() });
        });

        await think("2.9s");

        await page("Teapot", async () => {
          check(await http.get("/products/teapot?ref=home"), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/product.png", { headers: imageHeaders }), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("2.9s");

        await page("Kettle", async () => {
          check(await http.get("/products/kettle?ref=home"), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/product.png", { headers: imageHeaders }), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("2.9s");

        await page("Samovar", async () => {
          check(await http.get("/products/samovar?ref=home"), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/product.png", { headers: imageHeaders }), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("3.9s");

        await page("Search", async () => {
          const searchRow = rowOf(search, iteration.index);
          const search2 = await http.get("/search", {
            params: { q: searchRow.q },
          });
          check(search2, { ...statusIs(200), ...isHtml() });
        });

        await think("1.9s");

        await page("Search 2", async () => {
          const searchRow2 = rowOf(search, iteration.index + 1);
          const search2 = await http.get("/search", {
            params: { q: searchRow2.q },
          });
          check(search2, { ...statusIs(200), ...isHtml() });
        });

        await think("1.9s");

        await page("Search 3", async () => {
          const searchRow3 = rowOf(search, iteration.index + 2);
          const search2 = await http.get("/search", {
            params: { q: searchRow3.q },
          });
          check(search2, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
