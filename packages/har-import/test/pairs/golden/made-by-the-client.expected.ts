// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  isHtml,
  isJson,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: {
    headers: {
      accept: "application/json",
      "accept-language": "en-GB,en;q=0.9",
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.4%"],
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
      exec: async ({ http, page, group, check, think, sleep, random }) => {
        const session = random.uuid();

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
        });

        await think("2s");

        await group("GET /api/feed", async () => {
          const feed = await http.get("/api/feed", {
            params: { _: Date.now() },
            headers: { "x-request-id": random.uuid() },
          });
          check(feed, { ...statusIs(200), ...isJson() });

          await sleep("60ms");
          const events = await http.post("/api/events", {
            headers: { "x-request-id": random.uuid() },
            json: { event: "seen", at: new Date().toISOString(), session },
          });
          check(events, { ...statusIs(200), ...noJsonErrors() });

          await sleep("60ms");
          const events2 = await http.post("/api/events", {
            headers: { "x-request-id": random.uuid() },
            json: { event: "left", at: new Date().toISOString(), session },
          });
          check(events2, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});
