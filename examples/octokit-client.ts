// Octokit, the client of GitHub's API, as an example of an SDK that takes a `fetch` and the address of the server.
import { defineTest } from "@bearhug/sdk";
import { Octokit } from "@octokit/core";

interface Product {
  readonly id: number;
}

const baseUrl = "http://127.0.0.1:8080";

export default defineTest({
  name: "octokit client",
  baseUrl,
  scenarios: {
    readers: {
      executor: "constant-vus",
      vus: 4,
      duration: "2s",
      exec: async ({ http, check, random, think }) => {
        const octokit = new Octokit({ baseUrl, request: { fetch: http.fetch } });
        const list = await octokit.request("GET /api/products", { page: 1 });
        const { id } = random.pick((list.data as { products: Product[] }).products);
        const found = await octokit.request("GET /api/products/{id}", { id });
        check(found.data as Product, { "is the one that was asked for": (product) => product.id === id });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    http_req_duration: ["p(95)<1s"],
    http_req_failed: ["rate<1%"],
  },
});
