// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, noJsonErrors, statusIs } from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.2%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:café/100/id/a b}": ["p(95)<500ms"],
    "page_duration{page:Café}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("café/100/id/a b", async () => {
          check(
            await http.get(
              "/caf%C3%A9/100%/%7Bid%7D/a|b?q=%E9&r=%&s={x}&t=[1]",
              {
                headers: {
                  accept:
                    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
                },
              },
            ),
            { ...statusIs(200), ...isHtml() },
          );

          const response = await http.post("/%F0%9F%90%BB", {
            headers: {
              accept: "*/*",
              "content-type": "text/plain;charset=UTF-8",
            },
            body: "bear 🐻 half � and \u0000 nul",
          });
          check(response, { ...statusIs(200), ...noJsonErrors() });
        });

        await think("1.5s");

        await page("Café", async () => {
          const form = await http.post("/form", {
            headers: {
              accept:
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              "content-type": "application/x-www-form-urlencoded",
            },
            body: "name=J%F6rg&city=K%C3%B6ln&flag&=empty&x=1%",
          });
          check(form, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
