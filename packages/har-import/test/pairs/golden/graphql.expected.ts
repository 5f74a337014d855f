// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  extract,
  isHtml,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

const query =
  "query Products($first: Int!) {\n  products(first: $first) {\n    id\n    name\n    price { amount currency }\n  }\n}\n";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.4%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Shop}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        const { product } = await page("Shop", async () => {
          check(
            await http.get("/", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          const graphql = await http.post("/graphql", {
            name: "POST /graphql Products",
            json: {
              operationName: "Products",
              variables: { first: 12 },
              query,
            },
          });
          check(graphql, { ...statusIs(200), ...noJsonErrors() });
          const product = extract(graphql, { json: "data.products[0].id" });

          return { product };
        });

        await think("2.4s");

        await group("POST /graphql Products", async () => {
          const graphql = await http.post("/graphql", {
            name: "POST /graphql Products",
            json: {
              operationName: "Products",
              variables: { first: 24 },
              query,
            },
          });
          check(graphql, { ...statusIs(200), ...noJsonErrors() });
        });

        await think("2.5s");

        await group("POST /graphql Add", async () => {
          const graphql = await http.post("/graphql", {
            name: "POST /graphql Add",
            json: {
              operationName: "Add",
              variables: { product },
              query:
                "mutation Add($product: ID!) {\n  addToCart(product: $product) {\n    cart { id total }\n  }\n}\n",
            },
          });
          check(graphql, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});
