// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

const imageHeaders = {
  accept: "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.7%"],
    http_req_failed: ["rate<0.5%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Shop}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think, sleep }) => {
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

          const request = http.get("/a.css", {
            headers: { accept: "text/css,*/*;q=0.1" },
          });
          const gone = http.get("/gone.png", {
            headers: imageHeaders,
            expect: 404,
          });
          for (const response of await http.batch([
            "/b.js",
            "/c.js",
            { url: "/d.png", headers: imageHeaders },
            { url: "/e.png", headers: imageHeaders },
          ])) {
            check(response, { ...statusIs(200, 304), ...isNotHtml() });
          }
          check(await request, statusIs(200, 304));
          check(await gone, statusIs(404));
        });

        await think("2.4s");

        await group("GET /api/coupon/SPRING", async () => {
          check(
            await http.get("/api/coupon/SPRING", { expect: 410 }),
            statusIs(410),
          );

          await sleep("60ms");
          const [ok, no] = await http.batch([
            "/api/ok",
            { url: "/api/no", expect: 403 },
          ]);
          check(ok, { ...statusIs(200), ...isJson() });
          check(no, statusIs(403));
        });
      },
    },
  },
});
