// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.5%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:News}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("News", async () => {
          check(
            await http.get("/news", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          for (const response of await http.batch([
            { url: "/news.css", headers: { accept: "text/css,*/*;q=0.1" } },
            "/news.js",
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }
        });

        await think("1.8s");

        await group("GET /api/news", async () => {
          check(await http.get("/api/news?page=2"), {
            ...statusIs(200),
            ...isJson(),
          });
        });

        await think("2.1s");

        await group("GET /api/news 2", async () => {
          check(await http.get("/api/news?page=3"), {
            ...statusIs(200),
            ...isJson(),
          });
        });
      },
    },
  },
});
