// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, noJsonErrors, statusIs } from "@bearhug/sdk";

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
    "page_duration{page:process.exit 1 / // 31m /script __proto__}": [
      "p(95)<500ms",
    ],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, sleep }) => {
        await page("process.exit 1 / // 31m /script __proto__", async () => {
          check(
            await http.get(
              "/%60%24%7Bprocess.exit(1)%7D%60%20*%2F%20%22%20'%20%5C%20%E2%80%A8%20%E2%80%AE%20%2F%2F%20%1B%5B31m%20%3C%2Fscript%3E%20__proto__?%60%24%7Bprocess.exit(1)%7D%60%20*%2F%20%22%20%27%20%5C%20%E2%80%A8%20%E2%80%AE%20%2F%2F%20%1B%5B31m%20%3C%2Fscript%3E%20__proto__=%60%24%7Bprocess.exit(1)%7D%60%20*%2F%20%22%20%27%20%5C%20%E2%80%A8%20%E2%80%AE%20%2F%2F%20%1B%5B31m%20%3C%2Fscript%3E%20__proto__",
              {
                headers: {
                  accept:
                    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
                },
              },
            ),
            { ...statusIs(200), ...isHtml() },
          );

          const api = await http.post("/api/..%2f..%2fetc", {
            json: {
              "1": 2,
              "2": 1,
              ["__proto__"]: { polluted: true },
              constructor:
                "`${process.exit(1)}` */ \" ' \\ \u2028 \u202e // \u001b[31m </script> __proto__",
              "'];alert(1)//": [
                "`${process.exit(1)}` */ \" ' \\ \u2028 \u202e // \u001b[31m </script> __proto__",
                null,
                -1.5e300,
              ],
            },
          });
          check(api, { ...statusIs(200), ...noJsonErrors() });

          await sleep("60ms");
          const evil = await http.post("/.//evil.test/x", {
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: "__proto__=1&%60%24%7Bprocess.exit(1)%7D%60%20*%2F%20%22%20'%20%5C%20%E2%80%A8%20%E2%80%AE%20%2F%2F%20%1B%5B31m%20%3C%2Fscript%3E%20__proto__=%60%24%7B1%7D%60",
          });
          check(evil, { ...statusIs(200), ...noJsonErrors() });
        });

        await group("POST /api/text", async () => {
          const text = await http.post("/api/text", {
            headers: {
              "x-evil": "*/ `${1}` '\"",
              "content-type": "text/plain",
            },
            body: "`${process.exit(1)}` */ \" ' \\ \u2028 \u202e // \u001b[31m </script> __proto__",
          });
          check(text, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});
