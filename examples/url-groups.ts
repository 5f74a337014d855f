// A wrk or Artillery script as a bearhug test: 200 virtual users keep choosing a weighted random group of URLs and request
// all of it. Each group has its own row in the summary.
import { defineTest } from "@bearhug/sdk";

const home = { name: "home", urls: ["/", "/style.css", "/app.js"] };
const shelves = { name: "shelves", urls: ["/products", "/api/products?page=1", "/api/products?page=2"] };
const product = { name: "product", urls: ["/products/1", "/api/products/1"] };

export default defineTest({
  name: "groups of addresses",
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 200,
      duration: "4s",
      exec: async ({ http, group, random, sleep }) => {
        const { name, urls } = random.weighted([
          [home, 5],
          [shelves, 3],
          [product, 2],
        ]);
        await group(name, () => http.batch(urls));
        await sleep(random.integer(500, 1500));
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    "http_req_duration{group:home}": ["p(95)<5s"],
  },
});
