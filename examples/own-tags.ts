// Your own tags separate what the built-in tags do not: here, visitors who pay from visitors who only look.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 4,
      duration: "3s",
      tags: { team: "shop" },
      exec: async ({ http, random, tags, think }) => {
        const plan = random.weighted([
          ["free", 4],
          ["paid", 1],
        ]);
        tags.set("plan", plan);
        await http.get("/products", { params: { page: random.integer(1, 4) } });
        if (plan === "paid") await http.get("/stream", { name: "download", tags: { large: "yes" } });
        await think("100ms", "200ms");
      },
    },
  },
  thresholds: {
    "http_req_duration{plan:free}": ["p(95)<1s"],
    "http_req_duration{plan:paid,large!:yes}": ["p(95)<1s"],
    "http_req_duration{name~:^down}": ["p(95)<3s"],
  },
});
