// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  isHtml,
  jsonFieldIs,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Settings}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("Settings", async () => {
          check(
            await http.get("/settings", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );
        });

        await think("2s");

        await group("PUT /api/settings", async () => {
          const settings = await http.put("/api/settings", {
            headers: {
              accept: "application/json",
              "x-xsrf-token": http.cookies.get("XSRF-TOKEN") ?? "",
            },
            json: { newsletter: false, language: "en" },
          });
          check(settings, {
            ...statusIs(200),
            ...jsonFieldIs("saved", true),
            ...noJsonErrors(),
          });
        });
      },
    },
  },
});
