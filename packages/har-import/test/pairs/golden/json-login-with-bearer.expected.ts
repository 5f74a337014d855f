// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  endsAt,
  extract,
  isHtml,
  isJson,
  isNotHtml,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  env: {
    EMAIL: {
      secret: true,
      description: 'The JSON field "email" of POST /api/login.',
    },
    PASSWORD: {
      secret: true,
      description: 'The JSON field "password" of POST /api/login.',
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.6%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:App}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think, env }) => {
        await page("App", async () => {
          check(
            await http.get("/app", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );

          check(await http.get("/app.js"), {
            ...statusIs(200),
            ...isNotHtml(),
          });
        });

        await think("3.9s");

        await group("POST /api/login", async () => {
          const login = await http.post("/api/login", {
            json: { email: env.EMAIL, password: env.PASSWORD },
          });
          check(login, { ...statusIs(200), ...noJsonErrors() });
          const userId = extract(login, { json: "user.id" });
          const token = extract(login, { json: "token" });

          const [orders, messages] = await http.batch([
            {
              url: "/api/users/" + encodeURIComponent(userId) + "/orders",
              auth: { bearer: token },
            },
            { url: "/api/messages", auth: { bearer: token } },
          ]);
          check(orders, { ...statusIs(200), ...isJson() });
          check(messages, {
            ...statusIs(200),
            ...endsAt("/api/messages"),
            ...isJson(),
          });
        });
      },
    },
  },
});
