// A k6 script as a bearhug test: ramping arrivals, a login in setup that gives every request its token, JSON bodies, groups,
// tags, custom metrics, and filtered thresholds that can end the run early.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "api ramp",
  baseUrl: "http://127.0.0.1:8080",
  env: { SHOP_PASSWORD: { default: "honey" } },
  metrics: {
    cart_total_euros: { type: "trend" },
    carts_filled: { type: "counter" },
    cart_ok: { type: "rate" },
    cart_time: { type: "trend", time: true },
  },
  setup: async ({ http, env }) => {
    const [first] = (await http.get("/users.json")).json<{ name: string }[]>();
    const login = await http.post("/api/login", {
      json: { user: first?.name, password: env.SHOP_PASSWORD },
      throwOnError: true,
    });
    return { token: login.json<{ token: string }>().token };
  },
  scenarios: {
    shoppers: {
      executor: "ramping-arrival-rate",
      startRate: 2,
      timeUnit: "1s",
      preAllocatedVUs: 10,
      maxVUs: 50,
      stages: [
        { duration: "2s", target: 20 },
        { duration: "2s", target: 20 },
        { duration: "1s", target: 0 },
      ],
      tags: { team: "checkout" },
      exec: async ({ http, group, check, data, metrics, random, sleep }) => {
        const auth = { bearer: data.token };
        const products = await group("browse", async () => {
          const page = random.integer(1, 4);
          const list = await http.get("/api/products", { params: { page }, name: "product list" });
          check(list, {
            "status is 200": (r) => r.status === 200,
            "is JSON": (r) => r.headers.get("content-type")?.includes("json") === true,
          });
          return list.json<{ products: { id: number }[] }>().products;
        });
        await sleep("100ms");
        await group("buy", async () => {
          const product = random.pick(products).id;
          const cart = await http.post("/api/cart", {
            auth,
            json: { product, quantity: 1 },
            tags: { kind: "write" },
          });
          metrics.cart_time.add(cart.timings.responseTime);
          metrics.cart_ok.add(check(cart, { "is in the cart": (r) => r.status === 201 }));
          metrics.cart_total_euros.add(cart.json<{ totalCents: number }>().totalCents / 100);
          metrics.carts_filled.add(1);
        });
      },
    },
  },
  thresholds: {
    http_req_failed: [{ threshold: "rate<5%", abortOnFail: true, delayAbortEval: "2s" }],
    "http_req_duration{group:browse}": ["p(95)<1s"],
    "http_req_duration{kind:write}": ["p(95)<1s", "p(99)<2s"],
    "group_duration{group:buy}": ["avg<2s"],
    checks: ["rate>99%"],
    cart_ok: ["rate>99%"],
    carts_filled: ["count>20"],
  },
});
