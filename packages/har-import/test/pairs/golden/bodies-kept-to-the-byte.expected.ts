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
    checks: ["rate>99.6%"],
    http_req_failed: ["rate<0.8%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:home}": ["p(95)<500ms"],
    "page_duration{page:Shop}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, sleep }) => {
        await page("home", async () => {
          check(
            await http.get("/", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          const pretty = await http.post("/api/pretty", {
            headers: { "content-type": "application/json" },
            body: '{\n  "a": 1.0,\n  "b": [ ]\n}',
          });
          check(pretty, { ...statusIs(200), ...noJsonErrors() });

          const typed = await http.post("/api/typed", {
            headers: { "content-type": "application/json;charset=UTF-8" },
            json: { a: 1 },
          });
          check(typed, { ...statusIs(200), ...noJsonErrors() });

          await sleep("30ms");
          const soap = await http.post("/soap", {
            headers: { soapaction: '"urn:Add"', "content-type": "text/xml" },
            body: '<?xml version="1.0"?>\n<Add a="1"/>',
          });
          check(soap, { ...statusIs(200), ...noJsonErrors() });

          check(
            await http.request("PROPFIND", "/dav", { headers: { depth: "1" } }),
            { ...statusIs(207), ...isJson() },
          );
        });

        await page("Shop", async () => {
          const find = await http.post("/find", {
            headers: {
              accept:
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              "content-type": "application/x-www-form-urlencoded",
            },
            body: "q=a%20b&r=(x)",
          });
          check(find, { ...statusIs(200), ...isHtml() });
        });
      },
    },
  },
});
