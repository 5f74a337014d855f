// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isNotHtml, statusIs } from "@bearhug/sdk";

const documentHeaders = {
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.5%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Shop}": ["p(95)<500ms"],
    "page_duration{page:Sale}": ["p(95)<500ms"],
    "page_duration{page:Teapot}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      // 1.1 page loads per second: each iteration loads 3 pages, so 1.1 of them start
      // every 3s. The full rate is reached once the first iterations load their last
      // page.
      executor: "constant-arrival-rate",
      rate: 1.1,
      timeUnit: "3s",
      duration: "1m",
      exec: async ({ http, page, check, think }) => {
        await page("Shop", async () => {
          check(await http.get("/", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/app.js", { headers: { accept: "*/*" } }), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("2.4s");

        await page("Sale", async () => {
          check(await http.get("/sale", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(
            await http.get("/sale.png", {
              headers: {
                accept:
                  "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isNotHtml() },
          );
        });

        await think("2.4s");

        await page("Teapot", async () => {
          check(await http.get("/sale/teapot", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });
        });
      },
    },
  },
});
