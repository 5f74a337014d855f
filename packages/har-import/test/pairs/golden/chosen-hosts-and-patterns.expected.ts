// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  siteHosts: ["api.payments.test"],
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.5%"],
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

          for (const response of await http.batch([
            { url: "/site.css", headers: { accept: "text/css,*/*;q=0.1" } },
            "/app.js",
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }

          await sleep("40ms");
          for (const response of await http.batch([
            "https://api.payments.test/v1/methods",
            "/api/offers",
          ])) {
            check(response, { ...statusIs(200), ...isJson() });
          }
        });
      },
    },
  },
});
