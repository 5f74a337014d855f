// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.2%"],
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
      exec: async ({ http, page, check, sleep }) => {
        await page("Shop", async () => {
          check(
            await http.get("/", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          await sleep("60ms");
          for (const response of await http.batch([
            "/api/offers",
            "/api/health",
          ])) {
            check(response, { ...statusIs(200), ...isJson() });
          }
        });
      },
    },
  },
});
