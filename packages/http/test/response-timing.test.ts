import { expect, test } from "vitest";

import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

test("the timings of a response show where its time went, and add up", async () => {
  const server = await startServer((_request, response) => {
    setTimeout(() => {
      response.write("first ");
      setTimeout(() => response.end("second"), 30);
    }, 40);
  });
  const { http, metric } = startClient(server.url);
  const { timings } = await http.get("/");
  expect(timings.waiting).toBeGreaterThanOrEqual(39);
  expect(timings.receiving).toBeGreaterThanOrEqual(28);
  expect(timings.duration).toBeCloseTo(timings.sending + timings.waiting + timings.receiving, 6);
  expect(timings.responseTime).toBeCloseTo(timings.blocked + timings.duration, 6);
  expect(metric("http_req_duration")).toMatchObject({ count: 1, sum: Math.round(timings.duration * 1000) });
});
