// A work list: each product page is requested exactly once, by any free virtual user, however many there are.
import { defineTest } from "@bearhug/sdk";

const products = 40;

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    crawlers: {
      executor: "shared-iterations",
      vus: 4,
      iterations: products,
      maxDuration: "10s",
      exec: async ({ http, check, iteration }) => {
        const response = await http.get(`/products/${iteration.index + 1}`);
        check(response, { "has a picture": (r) => r.text().includes(".png") });
      },
    },
  },
  thresholds: { iterations: [`count==${products}`], checks: ["rate>=100%"] },
});
