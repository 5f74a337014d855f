// A flow of dependent steps: log in, choose, fill the cart. Custom metrics count what was sold.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "checkout",
  baseUrl: "http://127.0.0.1:8080",
  env: { SHOP_PASSWORD: { default: "honey", description: "The password of everybody in /users.json" } },
  metrics: {
    basket_euros: { type: "trend" },
    items_sold: { type: "counter" },
    token_wait: { type: "trend", time: true },
  },
  setup: async ({ http }) => ({
    users: (await http.get("/users.json")).json<{ name: string }[]>(),
  }),
  scenarios: {
    customers: {
      executor: "constant-vus",
      vus: 5,
      duration: "5s",
      exec: async ({ http, check, data, env, metrics, random, think }) => {
        const { name } = random.pick(data.users);
        const login = await http.post("/api/login", {
          json: { user: name, password: env.SHOP_PASSWORD },
          throwOnError: true,
        });
        metrics.token_wait.add(login.timings.responseTime);
        const auth = { bearer: login.json<{ token: string }>().token };
        check(await http.get("/api/me", { auth }), {
          "is who they said": (r) => r.json<{ name: string }>().name === name,
        });
        await think("100ms", "400ms");

        const shelf = await http.get("/api/products", { params: { page: random.integer(1, 4) } });
        const product = random.pick(shelf.json<{ products: { id: number }[] }>().products);
        const quantity = random.integer(1, 5);
        const cart = await http.post("/api/cart", { auth, json: { product: product.id, quantity } });
        if (!check(cart, { "is in the cart": (r) => r.status === 201 })) return;
        metrics.items_sold.add(quantity);
        metrics.basket_euros.add(cart.json<{ totalCents: number }>().totalCents / 100);
      },
    },
  },
  thresholds: {
    checks: ["rate>99%"],
    iteration_failed: ["rate<1%"],
    items_sold: ["count>10"],
    token_wait: ["p(95)<1s"],
    "http_req_duration{name:POST /api/cart}": ["p(95)<1s"],
  },
});
