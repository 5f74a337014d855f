// Staging and production from one file. Everything that differs is a variable; the defaults are for staging.
// For production:
// bearhug run examples/environments.ts --env-from production.env
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "shop",
  env: {
    HOST: { default: "http://127.0.0.1:8080", description: "URL of the shop" },
    USERS: { type: "number", default: 5 },
    PEAK: { type: "duration", default: "2s" },
    STRICT: { type: "boolean", default: false, description: "require fast responses" },
  },
  baseUrl: ({ env }) => env.HOST,
  http: ({ env }) => ({ timeout: env.STRICT ? "5s" : "30s" }),
  scenarios: {
    browse: {
      executor: "ramping-vus",
      startVUs: 1,
      stages: ({ env }) => [
        { duration: "1s", target: env.USERS },
        { duration: env.PEAK, target: env.USERS },
      ],
      exec: async ({ http, sleep }) => {
        await http.get("/products");
        await sleep("200ms");
      },
    },
    search: {
      executor: "constant-arrival-rate",
      rate: ({ env }) => env.USERS * 2,
      duration: ({ env }) => env.PEAK + 1000,
      exec: ({ http }) => http.get("/api/products", { params: { page: 2 } }),
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ({ env }) => [`p(95)<${env.STRICT ? 300 : 3000}ms`],
    // An empty list means no threshold.
    "iteration_duration{scenario:browse}": ({ env }) => (env.STRICT ? ["p(99)<1s"] : []),
  },
});
