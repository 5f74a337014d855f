// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, statusIs } from "@bearhug/sdk";

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
    checks: ["rate>99.2%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:filter}": ["p(95)<500ms"],
    "page_duration{page:Filter}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("filter", async () => {
          check(
            await http.get("/filter?color=red&color=blue&size=m&color=green"),
            { ...statusIs(200), ...isHtml() },
          );

          check(
            await http.get("/api/filter?tag=new%20in&tag=sale", {
              headers: {
                accept: "application/json",
                "x-trace": ["a", "b", "c"],
              },
            }),
            { ...statusIs(200), ...isJson() },
          );
        });

        await think("2.4s");

        await page("Filter", async () => {
          const filter = await http.post("/filter", {
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: "a=1&b=2&a=3&2=x&1=y",
          });
          check(filter, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
