// Takes a value from a response and sends it with a later request: a token, an id, a hidden field. If the
// value is missing, `extract` reports what the response contains instead, and the iteration fails.
import { defineTest, extract } from "@bearhug/sdk";

export default defineTest({
  name: "extract a token",
  baseUrl: "http://127.0.0.1:8080",
  env: { SHOP_PASSWORD: { default: "honey", description: "The password of everybody in /users.json" } },
  scenarios: {
    customers: {
      executor: "per-vu-iterations",
      vus: 2,
      iterations: 3,
      exec: async ({ http, check, env }) => {
        const users = await http.get("/users.json");
        const user = extract(users, { json: "[0].name" });

        const login = await http.post("/api/login", { json: { user, password: env.SHOP_PASSWORD } });
        const token = extract(login, { json: "token" });
        check(await http.get("/api/me", { auth: { bearer: token } }), {
          "is who they said": (me) => extract(me, { json: "name" }) === user,
        });
      },
    },
  },
  thresholds: { checks: ["rate>=100%"], iteration_failed: ["rate==0%"] },
});
