// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isNotHtml, statusIs } from "@bearhug/sdk";

const documentHeaders = {
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.7%"],
    http_req_failed: ["rate<0.6%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Step a}": ["p(95)<500ms"],
    "page_duration{page:Step b}": ["p(95)<500ms"],
    "page_duration{page:Step c}": ["p(95)<500ms"],
    "page_duration{page:Step d}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("Step a", async () => {
          check(await http.get("/step/a", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/step.js"), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("2s");

        await page("Step b", async () => {
          check(await http.get("/step/b", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/step.js"), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("1.5s");

        await page("Step c", async () => {
          check(await http.get("/step/c", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/step.js"), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await page("Step d", async () => {
          check(await http.get("/step/d", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          check(await http.get("/step.js"), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });
      },
    },
  },
});
