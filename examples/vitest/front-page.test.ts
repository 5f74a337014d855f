// A load test among the other tests of a project: this file starts the server, bearhug puts load on it, and
// the matcher checks the thresholds.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { defineTest, runTest } from "bearhug";
import "bearhug/vitest";
import { afterAll, expect, test } from "vitest";

const server = createServer((_request, response) => {
  response.end("<h1>Hello</h1>");
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.close();
});

// The load runs in this thread, together with the server: enough to notice errors and gross slowness, not to
// find limits.
const visitors = defineTest({
  name: "visitors",
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  scenarios: {
    visitors: { executor: "shared-iterations", vus: 5, iterations: 100, exec: ({ http }) => http.get("/") },
  },
  thresholds: { http_req_failed: ["rate<1%"], http_reqs: ["count>=100"] },
});

test("the front page answers 100 visitors", async () => {
  expect(await runTest(visitors)).toMeetThresholds();
});

test("a missed threshold fails the check, and the message states the measured value", async () => {
  const result = await runTest(visitors, { thresholds: { http_reqs: "count>=1000" } });
  expect(result).not.toMeetThresholds();
  expect(result.messages).toEqual(["threshold failed: http_reqs: count>=1000 (was 100)"]);
});
