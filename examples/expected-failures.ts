// The test decides which statuses are failures: a 404 may be the right response, and a failure rate of 5 % may be fine.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 4,
      duration: "3s",
      exec: async ({ http, sleep }) => {
        await http.get("/products/9999", { name: "missing product", expect: 404 });
        await http.get("/api/me", { name: "without a token", expect: [401, 403] });
        const flaky = await http.get("/flaky");
        if (flaky.status === 503) await sleep(`${Number(flaky.headers.get("retry-after"))}s`);
        await sleep("50ms");
      },
    },
  },
  thresholds: {
    "http_req_failed{name:missing product}": ["rate==0%"],
    "http_req_failed{name:without a token}": ["rate==0%"],
    "http_req_failed{name:GET /flaky}": ["rate<10%"],
  },
});
