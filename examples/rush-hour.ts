// A rush: visitors who come by chance, ever more of them, to a shop with ten tills. Who finds none free waits in line,
// and that wait is part of the answer. The first two seconds fill caches and connections, and are not measured.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "rush hour",
  baseUrl: "http://127.0.0.1:8080",
  warmup: "2s",
  scenarios: {
    visitors: {
      executor: "ramping-arrival-rate",
      startRate: 10,
      timeUnit: "1s",
      stages: [
        { duration: "2s", target: 10 },
        { duration: "3s", target: 60 },
        { duration: "2s", target: 60 },
        { duration: "1s", target: 0 },
      ],
      // Independent of each other, as people are: some come at once, sometimes none. A seed gives the same ones again.
      arrivals: "poisson",
      maxVUs: 10,
      onBusy: "queue",
      gracefulStop: "20s",
      exec: ({ http }) => http.get("/slow", { params: { ms: 50 } }),
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    // From the moment at which a visitor came: waiting in line included.
    iteration_response_time: ["p(90)<10s"],
    // Of that, the wait for a till.
    vu_wait: ["med<10s"],
  },
});
