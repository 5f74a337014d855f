// The least that is a test: one virtual user's way, repeated for three seconds, and what must hold.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 5,
      duration: "3s",
      exec: async ({ http, think }) => {
        await http.get("/");
        await think("200ms", "500ms");
      },
    },
  },
  thresholds: { http_req_failed: ["rate<1%"], http_req_duration: ["p(95)<1s"] },
});
