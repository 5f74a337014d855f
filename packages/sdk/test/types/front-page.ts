import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "front page",
  baseUrl: "http://127.0.0.1:8080",
  env: { API_TOKEN: { secret: true }, REGION: { default: "eu" } },
  metrics: { basket_size: { type: "trend" }, coupons_used: { type: "counter" } },
  setup: async ({ http, env }) => {
    const users = (await http.get("/users.json")).json<{ name: string }[]>();
    return { users, token: env.API_TOKEN };
  },
  scenarios: {
    readers: {
      executor: "ramping-vus",
      stages: [
        { duration: "30s", target: 50 },
        { duration: "1m", target: 50 },
      ],
      exec: async ({ http, page, check, think }) => {
        await page("home", async () => {
          const home = await http.get("/");
          check(home, { "status is 200": (r) => r.status === 200 });
          await http.batch(["/style.css", "/app.js", "/hero.webp"]);
        });
        await think("1s", "3s");
      },
    },
    signups: {
      executor: "constant-arrival-rate",
      rate: 20,
      timeUnit: "1s",
      duration: "90s",
      preAllocatedVUs: 20,
      maxVUs: 200,
      arrivals: "poisson",
      exec: async ({ http, data, iteration, random, metrics }) => {
        const user = data.users[iteration.index % data.users.length];
        await http.post("/signup", { json: { user }, auth: { bearer: data.token } });
        metrics.basket_size.add(random.integer(1, 5));
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ["p(95)<300ms", { threshold: "p(99)<1s", abortOnFail: true, delayAbortEval: "10s" }],
    "http_req_duration{page:home}": ["p(95)<500ms"],
    basket_size: ["avg<10"],
  },
});
