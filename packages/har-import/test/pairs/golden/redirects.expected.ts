// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, endsAt, isHtml, isNotHtml, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  siteHosts: ["shop.example"],
  http: {
    headers: {
      accept:
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
      "accept-language": "en-GB,en;q=0.9",
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.2%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:new}": ["p(95)<500ms"],
    "page_duration{page:New things}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("new", async () => {
          check(await http.get("http://shop.example/old"), {
            ...statusIs(200),
            ...endsAt("/new"),
            ...isHtml(),
          });

          check(
            await http.get("/new.png", {
              headers: {
                accept:
                  "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isNotHtml() },
          );
        });

        await think("2.8s");

        await page("New things", async () => {
          const out = await http.get("/out?to=partner", { redirects: 0 });
          check(out, statusIs(302));
        });
      },
    },
  },
});
