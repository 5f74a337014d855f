// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  extract,
  isHtml,
  isNotHtml,
  redirectsTo,
  statusIs,
} from "@bearhug/sdk";

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
  env: {
    SITE_USER: {
      secret: true,
      description: 'The form field "user" of POST /login.',
    },
    PASSWORD: {
      secret: true,
      description: 'The form field "password" of POST /login.',
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.6%"],
    http_req_failed: ["rate<0.8%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Log in}": ["p(95)<500ms"],
    "page_duration{page:Account}": ["p(95)<500ms"],
    "page_duration{page:Shop}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, check, think, env }) => {
        const { csrf } = await page("Log in", async () => {
          const login = await http.get("/login");
          check(login, { ...statusIs(200), ...isHtml() });
          const csrf = extract(login, { field: "csrf" });

          check(
            await http.get("/login.css", {
              headers: { accept: "text/css,*/*;q=0.1" },
            }),
            { ...statusIs(200), ...isNotHtml() },
          );

          return { csrf };
        });

        await think("6s");

        const { csrf2 } = await page("Account", async () => {
          const earlierSession = http.cookies.get("sid");
          const login = await http.post("/login", {
            form: { user: env.SITE_USER, password: env.PASSWORD, csrf },
          });
          check(login, {
            ...statusIs(200),
            ...redirectsTo("/account"),
            ...isHtml(),
            "has a new cookie sid": () =>
              http.cookies.get("sid") !== earlierSession,
          });
          const csrf2 = extract(login, { field: "csrf" });

          return { csrf2 };
        });

        await think("2.9s");

        await page("Shop", async () => {
          const logout = await http.post("/logout", { form: { csrf: csrf2 } });
          check(logout, { ...statusIs(200), ...redirectsTo("/"), ...isHtml() });
        });
      },
    },
  },
});
