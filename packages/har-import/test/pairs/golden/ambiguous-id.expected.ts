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
    "page_duration{page:List}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("List", async () => {
          check(
            await http.get("/list", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          check(await http.get("/api/products"), {
            ...statusIs(200),
            ...isJson(),
          });
        });

        await think("2.3s");

        await group("GET /api/products/id", async () => {
          // the segment after products may come from the response to GET /api/products
          // JSON items 1 .id
          check(await http.get("/api/products/17"), {
            ...statusIs(200),
            ...isJson(),
          });
        });
      },
    },
  },
});
