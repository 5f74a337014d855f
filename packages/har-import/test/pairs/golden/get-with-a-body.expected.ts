// Generated once from a capture of http://es.example:9200. Edit freely.
import { defineTest, isJson, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "es.example:9200",
  baseUrl: "http://es.example:9200",
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, group, check }) => {
        await group("GET /items/_search", async () => {
          const search = await http.get("/items/_search", {
            json: { query: { match: { name: "honey" } } },
          });
          check(search, { ...statusIs(200), ...isJson() });
        });
      },
    },
  },
});
