// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  env: {
    COOKIE_THEME: {
      optional: true,
      description: 'The cookie "theme", set before the recording.',
    },
    COOKIE_SESSION: {
      secret: true,
      optional: true,
      description: 'The cookie "session", set before the recording.',
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99%"],
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
      exec: async ({ http, page, group, check, think, env }) => {
        if (env.COOKIE_THEME) http.cookies.set("theme", env.COOKIE_THEME);
        if (env.COOKIE_SESSION) http.cookies.set("session", env.COOKIE_SESSION);

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

          check(await http.get("/api/basket"), {
            ...statusIs(200),
            ...isJson(),
          });
        });

        await think("1.4s");

        await group("DELETE /api/basket", async () => {
          check(await http.delete("/api/basket"), statusIs(204));
        });
      },
    },
  },
});
