// The smallest useful test: virtual users repeat one function for three seconds, and two thresholds decide the verdict.
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
