import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { expect, test } from "vitest";

import { startRawServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

const half = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf";

/** Counts the samples of each metric that are only lower bounds; null where there are no samples. */
function censoredOf({ metric }: ReturnType<typeof startClient>): Record<string, number | null> {
  const names = ["duration", "response_time", "blocked", "sending", "waiting", "receiving"];
  return Object.fromEntries(
    names.map((name) => {
      const trend = metric(`http_req_${name}`);
      return [name, trend?.type === "trend" ? (trend.censored?.count ?? 0) : null];
    }),
  );
}

test("a timeout before the response leaves lower bounds of the duration and of the waiting phase", async () => {
  const server = await startRawServer(() => {});
  const client = startClient(server.url);
  expect((await client.http.get("/", { timeout: "200ms" })).error?.code).toBe("RESPONSE_TIMEOUT");
  const before = { duration: 1, response_time: 1, blocked: 0, sending: 0, waiting: 1, receiving: null };
  expect(censoredOf(client)).toEqual(before);
});

test("a timeout during the response leaves lower bounds of the duration and of the receiving phase", async () => {
  const server = await startRawServer((socket) => socket.write(half));
  const client = startClient(server.url);
  expect((await client.http.get("/", { timeout: "200ms" })).error?.code).toBe("RESPONSE_TIMEOUT");
  const within = { duration: 1, response_time: 1, blocked: 0, sending: 0, waiting: 0, receiving: 1 };
  expect(censoredOf(client)).toEqual(within);
});

test("a request that the test's signal or size limit cuts off has a lower bound as its duration, too", async () => {
  const server = await startRawServer((socket) => socket.write(half));
  const client = startClient(server.url, [], [], { ...defaultHttp, maxBodySize: 2 });
  expect((await client.http.get("/")).error?.code).toBe("BODY_TOO_LARGE");
  const quiet = await startRawServer(() => {});
  const aborted = startClient(quiet.url);
  const controller = new AbortController();
  const pending = aborted.http.get("/", { signal: controller.signal });
  while (quiet.heads.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect((await pending).error?.code).toBe("REQUEST_ABORTED");
  expect([censoredOf(client)["duration"], censoredOf(aborted)["duration"]]).toEqual([1, 1]);
});

test("a request that the target cuts off has an exact duration", async () => {
  const server = await startRawServer((socket) => {
    socket.write(half);
    setTimeout(() => socket.end(), 20);
  });
  const client = startClient(server.url);
  expect((await client.http.get("/")).error?.code).toBe("RESPONSE_TRUNCATED");
  expect(censoredOf(client)["duration"]).toBe(0);
});
