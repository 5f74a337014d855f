// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  hasNoField,
  isHtml,
  isJson,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

const documentHeaders = {
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: {
    headers: {
      accept: "application/json",
      "accept-language": "en-GB,en;q=0.9",
    },
  },
  env: {
    ACCESS_TOKEN: {
      secret: true,
      description: 'The query parameter "access_token" of GET /.',
    },
    AUTHORIZATION: {
      secret: true,
      description:
        'The header "authorization", base64 of user:password, of GET /api/me.',
    },
    API_KEY: {
      secret: true,
      description: 'The header "x-api-key" of GET /api/me.',
    },
    NUMBER: {
      secret: true,
      description: 'The JSON field "number" of POST /api/pay.',
    },
    CVV: {
      secret: true,
      description: 'The JSON field "cvv" of POST /api/pay.',
    },
    OTP: {
      secret: true,
      description: 'The JSON field "otp" of POST /api/pay.',
    },
    CURRENT_PASSWORD: {
      secret: true,
      description: 'The form field "current_password" of POST /password.',
    },
    NEW_PASSWORD: {
      secret: true,
      description: 'The form field "new_password" of POST /password.',
    },
    EMAIL: {
      secret: true,
      description: 'The form field "email" of POST /password.',
    },
    SITE_USERNAME: {
      secret: true,
      description: 'The JSON field "username" of POST /graphql.',
    },
    PASSWORD: {
      secret: true,
      description: 'The JSON field "password" of POST /graphql.',
    },
    COOKIE_SESSION: {
      secret: true,
      optional: true,
      description: 'The cookie "session", set before the recording.',
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.6%"],
    http_req_failed: ["rate<1%"],
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
      exec: async ({ http, page, group, check, think, env }) => {
        if (env.COOKIE_SESSION) http.cookies.set("session", env.COOKIE_SESSION);

        await page("home", async () => {
          const home = await http.get("/", {
            params: { access_token: env.ACCESS_TOKEN },
            headers: documentHeaders,
          });
          check(home, { ...statusIs(200), ...isHtml() });

          check(
            await http.get("/api/me", {
              headers: {
                authorization: "Basic " + env.AUTHORIZATION,
                "x-api-key": env.API_KEY,
              },
            }),
            { ...statusIs(200), ...isJson() },
          );
        });

        await think("1.4s");

        await group("POST /api/pay", async () => {
          const pay = await http.post("/api/pay", {
            json: {
              card: { number: env.NUMBER, cvv: env.CVV },
              otp: env.OTP,
              note: "leave at the door",
            },
          });
          check(pay, { ...statusIs(200), ...noJsonErrors() });
        });

        await think("1.5s");

        await page("Shop", async () => {
          const password = await http.post("/password", {
            headers: documentHeaders,
            form: {
              current_password: env.CURRENT_PASSWORD,
              new_password: env.NEW_PASSWORD,
              email: env.EMAIL,
            },
          });
          check(password, {
            ...statusIs(200),
            ...isHtml(),
            ...hasNoField("current_password"),
          });
        });

        await think("1.5s");

        await group("POST /graphql", async () => {
          const graphql = await http.post("/graphql", {
            json: {
              query: "mutation($i: In!) { login(i: $i) }",
              variables: {
                i: { username: env.SITE_USERNAME, password: env.PASSWORD },
              },
            },
          });
          check(graphql, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});
