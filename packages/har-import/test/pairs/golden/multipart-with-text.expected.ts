// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, statusIs } from "@bearhug/sdk";

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
    checks: ["rate>99%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:upload}": ["p(95)<500ms"],
    "page_duration{page:Upload}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think }) => {
        await page("upload", async () => {
          check(await http.get("/upload"), { ...statusIs(200), ...isHtml() });
        });

        await think("2.9s");

        await page("Upload", async () => {
          const upload = await http.post("/upload", {
            multipart: {
              title: "Two\r\nlines",
              list: {
                content: "a,b\n1,2\n",
                filename: "list.csv",
                type: "text/csv",
              },
            },
          });
          check(upload, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
