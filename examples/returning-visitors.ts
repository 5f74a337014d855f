// Two kinds of visitors: new ones, and returning ones who keep their cookies and browser cache.
import { defineTest, type Context } from "@bearhug/sdk";

async function visit({ http, page, check, think }: Context): Promise<void> {
  await page("home", async () => {
    check(await http.get("/"), { "status is 200": (r) => r.status === 200 });
    await http.batch(["/style.css", "/app.js"]);
  });
  await think("100ms", "300ms");
}

export default defineTest({
  name: "returning visitors",
  baseUrl: "http://127.0.0.1:8080",
  http: { timeout: { connect: "2s", whole: "10s" } },
  scenarios: {
    first_time: { executor: "constant-vus", vus: 3, duration: "4s", exec: visit },
    returning: {
      executor: "constant-vus",
      vus: 3,
      duration: "4s",
      // Fresh files come from the cache and make no request.
      http: { cookies: "vu", cache: "browser" },
      exec: async (context) => {
        await visit(context);
        const style = await context.http.get("/style.css");
        context.check(style, { "is kept by the browser": (r) => r.fromCache });
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    "http_reqs{scenario:returning,name:GET /style.css}": ["count<=3"],
    "page_duration{scenario:returning}": ["p(95)<2s"],
  },
});
