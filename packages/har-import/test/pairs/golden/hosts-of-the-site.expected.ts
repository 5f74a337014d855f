// Generated once from a capture of https://www.shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "www.shop.example",
  baseUrl: "https://www.shop.example",
  siteHosts: ["static.shop.example", "api.shop.example:8443"],
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
            {
              url: "https://static.shop.example/site.css",
              headers: { accept: "text/css,*/*;q=0.1" },
            },
            "https://static.shop.example/site.js",
            {
              url: "https://static.shop.example/logo.png",
              headers: {
                accept:
                  "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
              },
            },
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }

          await sleep("40ms");
          check(await http.get("https://api.shop.example:8443/v1/offers"), {
            ...statusIs(200),
            ...isJson(),
          });
        });
      },
    },
  },
});
