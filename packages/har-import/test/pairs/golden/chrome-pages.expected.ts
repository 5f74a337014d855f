// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

const documentHeaders = {
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
};

const imageHeaders = {
  accept: "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
};

const jsonHeaders = {
  accept: "application/json",
  "x-requested-with": "XMLHttpRequest",
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.8%"],
    http_req_failed: ["rate<0.5%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:home}": ["p(95)<560ms"],
    "page_duration{page:products/teapot}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("home", async () => {
          check(await http.get("/", { headers: documentHeaders }), {
            ...statusIs(200),
            ...isHtml(),
          });

          for (const response of await http.batch([
            {
              url: "/assets/site.css?v=12",
              headers: { accept: "text/css,*/*;q=0.1" },
            },
            "/assets/site.js",
            { url: "/assets/logo.png", headers: imageHeaders },
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }

          const [sans, offers] = await http.batch([
            "/assets/sans.woff2",
            { url: "/api/offers?limit=4", headers: jsonHeaders },
          ]);
          check(sans, { ...statusIs(200), ...isNotHtml() });
          check(offers, { ...statusIs(200), ...isJson() });
        });

        await think("2.9s");

        await page("products/teapot", async () => {
          check(
            await http.get("/products/teapot", { headers: documentHeaders }),
            { ...statusIs(200), ...isHtml() },
          );

          for (const response of await http.batch([
            { url: "/images/teapot.png", headers: imageHeaders },
            { url: "/images/teapot-lid.png", headers: imageHeaders },
          ])) {
            check(response, { ...statusIs(200), ...isNotHtml() });
          }
        });

        await think("3.6s");

        await group("GET /api/stock", async () => {
          check(
            await http.get("/api/stock?product=teapot", {
              headers: jsonHeaders,
            }),
            { ...statusIs(200), ...isJson() },
          );
        });
      },
    },
  },
});
