// GraphQL sends every operation to one address. A `fetch` that adds a name keeps operations apart in the
// report.
import { defineTest, type Http } from "@bearhug/sdk";
import { GraphQLClient } from "graphql-request";

interface Product {
  readonly id: number;
  readonly name: string;
}

const listProducts = /* GraphQL */ `
  query Products($page: Int) {
    products(page: $page) {
      id
      name
    }
  }
`;
const oneProduct = /* GraphQL */ `
  query Product($id: Int!) {
    product(id: $id) {
      id
      name
    }
  }
`;

const baseUrl = "http://127.0.0.1:8080";

/** A client whose requests are named after their operations. */
const createClient = (http: Http) =>
  new GraphQLClient(`${baseUrl}/graphql`, {
    fetch: (url, init) => {
      const { operationName } = JSON.parse(init?.body as string) as { operationName: string };
      return http.fetch(url, { ...init, name: operationName });
    },
  });

export default defineTest({
  name: "graphql client",
  baseUrl,
  scenarios: {
    shoppers: {
      executor: "constant-vus",
      vus: 4,
      duration: "2s",
      exec: async ({ http, page, check, random, think }) => {
        const client = createClient(http);
        await page("look around", async () => {
          const { products } = await client.request<{ products: Product[] }>(listProducts, { page: 1 });
          const { id } = random.pick(products);
          const { product } = await client.request<{ product: Product | null }>(oneProduct, { id });
          check(product, { "is the requested product": (found) => found?.id === id });
        });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    "http_req_duration{name:Product}": ["p(95)<1s"],
    http_req_failed: ["rate<1%"],
  },
});
