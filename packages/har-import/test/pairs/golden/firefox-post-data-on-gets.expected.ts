// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isNotHtml, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: {
    headers: {
      accept:
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
      "accept-language": "en-GB,en;q=0.9",
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.4%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:search}": ["p(95)<500ms"],
    "page_duration{page:Search Shop}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("search", async () => {
          const search = await http.get("/search", {
            params: { q: "blue kettle", page: "2" },
          });
          check(search, { ...statusIs(200), ...isHtml() });

          for (const response of await http.batch([
            { url: "/site.css", headers: { accept: "text/css,*/*;q=0.1" } },
            {
              url: "/kettle.png",
              headers: {
                accept:
                  "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
              },
            },
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }
        });

        await think("2.4s");

        await page("Search Shop", async () => {
          const search = await http.post("/search", {
            form: { q: "red kettle", page: "1" },
          });
          check(search, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
