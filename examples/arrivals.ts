// Open model: visitors come however slowly the site answers, as people do. What can't be started in time is counted.
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
    // From the moment a visitor was due: waiting for a slow site is part of the answer.
    http_req_response_time: ["p(95)<2s"],
    dropped_iterations: [{ threshold: "count<1", allowEmpty: true }],
  },
});
