// Your application's own client, here openapi-fetch with the types of an API. It uses the global `fetch`,
// which is bearhug's in a scenario. Pages, tags, thresholds and error codes work for its requests as for
// those of `http.get`.
import { defineTest } from "@bearhug/sdk";
import createClient from "openapi-fetch";

interface Product {
  readonly id: number;
  readonly name: string;
  readonly priceCents: number;
}

/** The types that openapi-typescript generates for an API. */
interface paths {
  "/api/products/{id}": {
    get: {
      parameters: { path: { id: number } };
      responses: { 200: { content: { "application/json": Product } } };
    };
  };
  "/api/products": {
    get: {
      parameters: { query?: { page?: number } };
      responses: { 200: { content: { "application/json": { products: Product[] } } } };
    };
  };
}

const baseUrl = "http://127.0.0.1:8080";

export default defineTest({
  name: "openapi client",
  baseUrl,
  scenarios: {
    shoppers: {
      executor: "constant-vus",
      vus: 4,
      duration: "3s",
      exec: async ({ page, check, random, think }) => {
        // Created in `exec`, where the global `fetch` is that of the virtual user.
        const client = createClient<paths>({ baseUrl });
        await page("look around", async () => {
          const { data } = await client.GET("/api/products", { params: { query: { page: 1 } } });
          const { id } = random.pick(data?.products ?? []);
          const product = await client.GET("/api/products/{id}", { params: { path: { id } } });
          check(product.data, { "is the requested product": (found) => found?.id === id });
        });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    "http_req_duration{page:look around}": ["p(95)<1s"],
    http_req_failed: ["rate<1%"],
  },
});
