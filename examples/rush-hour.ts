// A rush: more and more visitors arrive at random at a shop with ten checkouts. They queue if none is free, and response
// times include that wait. The first two seconds warm up caches and connections and are not measured.
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
      // Arrivals are independent, as with people: sometimes several at once, sometimes none. The same seed repeats them.
      arrivals: "poisson",
      maxVUs: 10,
      onBusy: "queue",
      gracefulStop: "20s",
      exec: ({ http }) => http.get("/slow", { params: { ms: 50 } }),
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    // Counts from the visitor's arrival, so it includes the wait in the queue.
    iteration_response_time: ["p(90)<10s"],
    // The wait for a free checkout alone.
    vu_wait: ["med<10s"],
  },
});
