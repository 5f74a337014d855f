// Generated once from a capture of https://shop.example. Edit freely.
import { defineTest, isHtml, isJson, isNotHtml, statusIs } from "@bearhug/sdk";

const jsonHeaders = { accept: "application/json" };

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.6%"],
    http_req_failed: ["rate<0.8%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Chat}": ["p(95)<2100ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, sleep }) => {
        await page("Chat", async () => {
          check(
            await http.get("/chat", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          check(await http.get("/chat.js", { headers: { accept: "*/*" } }), {
            ...statusIs(200),
            ...isNotHtml(),
          });

          const poll = http.get("/api/poll?since=0", { headers: jsonHeaders });
          const [avatar, people] = await http.batch([
            {
              url: "/avatar.png",
              headers: {
                accept:
                  "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
              },
            },
            { url: "/api/people", headers: jsonHeaders },
          ]);
          check(avatar, { ...statusIs(200), ...isNotHtml() });
          check(people, { ...statusIs(200), ...isJson() });

          await sleep("70ms");
          check(await http.get("/api/rooms", { headers: jsonHeaders }), {
            ...statusIs(200),
            ...isJson(),
          });

          check(await poll, { ...statusIs(200), ...isJson() });
        });
      },
    },
  },
});
