// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  fromBase64,
  isHtml,
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
    "page_duration{page:Draw}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("Draw", async () => {
          check(
            await http.get("/draw", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );
        });

        await think("1.9s");

        await group("POST /api/drawings", async () => {
          const drawings = await http.post("/api/drawings", {
            headers: { accept: "*/*", "content-type": "image/png" },
            body: fromBase64(
              "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            ),
          });
          check(drawings, { ...statusIs(201), ...noJsonErrors() });
        });
      },
    },
  },
});
