// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isJson, noJsonErrors, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
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
        await group("GET /v1/items", async () => {
          const [items, items2, items3] = await http.batch([
            "/v1/items",
            // if the site takes each name only once, import with --unique
            {
              method: "POST",
              url: "/v1/items",
              json: { name: "cup", price: 4.5 },
            },
            { method: "DELETE", url: "/v1/items/1" },
          ]);
          check(items, { ...statusIs(200), ...isJson() });
          check(items2, { ...statusIs(201), ...noJsonErrors() });
          check(items3, statusIs(204));
        });
      },
    },
  },
});
