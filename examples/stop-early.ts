// Ends a test that has already failed: by a threshold with `abortOnFail`, or by `abort` in the test itself.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 5,
      duration: "4s",
      exec: async ({ http, abort, sleep }) => {
        const { error } = await http.get("/products");
        if (error?.code === "DNS_NOT_FOUND") abort("the target's name is not known here");
        await sleep("100ms");
      },
    },
  },
  thresholds: {
    http_req_failed: [{ threshold: "rate<5%", abortOnFail: true, delayAbortEval: "1s" }],
  },
});
