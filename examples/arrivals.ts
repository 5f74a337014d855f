// Open model: visitors arrive however slow the site is, as in real life. Iterations that cannot start count as dropped.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate",
      rate: 30,
      timeUnit: "1s",
      duration: "5s",
      maxVUs: 100,
      exec: ({ http }) => http.get("/slow", { params: { ms: 100 } }),
    },
  },
  thresholds: {
    // Counts from the moment a visitor was due, so it includes the wait for a slow site.
    http_req_response_time: ["p(95)<2s"],
    dropped_iterations: [{ threshold: "count<1", allowEmpty: true }],
  },
});
