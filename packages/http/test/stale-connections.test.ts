import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { startRawServer, type RawServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

const fine = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Responds to the first request of each connection, and closes the connection when a second one comes. */
async function startStale(isReset = false): Promise<RawServer> {
  const carried = new WeakSet();
  return startRawServer((socket) => {
    if (!carried.has(socket)) {
      carried.add(socket);
      socket.write(fine);
    } else if (isReset) socket.resetAndDestroy();
    else socket.end();
  });
}

describe("a kept-alive connection that the server closes when it is reused", () => {
  test.each([false, true])("fails its request as stale, without a retry (reset: %s)", async (isReset) => {
    const server = await startStale(isReset);
    const { http, row } = startClient(server.url);
    expect((await http.get("/")).text()).toBe("ok");
    const stale = await http.get("/");
    expect(stale.error).toMatchObject({ code: "STALE_CONNECTION", phase: "waiting" });
    expect(row("GET /")).toMatchObject({ started: 2, sent: 2, succeeded: 1, failed: 1 });
    expect(server.heads).toHaveLength(2);
    expect((await http.get("/")).text()).toBe("ok");
    expect(server.sockets).toHaveLength(2);
  });

  test("has its request retried once if the request allows it, and the retry is counted", async () => {
    const server = await startStale();
    const { http, row, metric } = startClient(server.url);
    await http.get("/");
    const response = await http.get("/", { retryOnStaleConnection: true });
    expect(response.text()).toBe("ok");
    expect(row("GET /")).toMatchObject({ started: 3, sent: 3, succeeded: 2, failed: 1 });
    expect(metric("http_reqs")).toMatchObject({ total: 3 });
    expect(server.heads).toHaveLength(3);
  });

  test("has its request retried if http allows it, unless the request forbids it", async () => {
    const server = await startStale();
    const { http } = startClient(server.url, [], [], { ...defaultHttp, retryOnStaleConnection: true });
    await http.get("/");
    expect((await http.get("/")).text()).toBe("ok");
    expect((await http.get("/", { retryOnStaleConnection: false })).error?.code).toBe("STALE_CONNECTION");
    expect(server.heads).toHaveLength(4);
  });

  test("never causes a POST to be sent twice", async () => {
    const server = await startStale();
    const { http, row } = startClient(server.url);
    await http.get("/");
    const response = await http.post("/", { body: "x", retryOnStaleConnection: true });
    expect(response.error?.code).toBe("STALE_CONNECTION");
    expect(row("POST /")).toMatchObject({ started: 1, failed: 1 });
    expect(server.heads.filter((head) => head.startsWith("POST"))).toHaveLength(1);
  });

  test("is not stale once an interim response came: the server has the request", async () => {
    const server = await startRawServer((socket, _head, count) => {
      if (count === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      else socket.end("HTTP/1.1 103 Early Hints\r\n\r\n");
    });
    const { http } = startClient(server.url);
    await http.get("/");
    const response = await http.get("/", { retryOnStaleConnection: true });
    expect(response.error?.code).toBe("CONNECTION_CLOSED");
    expect(server.heads).toHaveLength(2);
  });

  test("is not confused with one that failed on its first request", async () => {
    const server = await startRawServer((socket) => void socket.end());
    const { http } = startClient(server.url);
    const response = await http.get("/", { retryOnStaleConnection: true });
    expect(response.error?.code).toBe("CONNECTION_CLOSED");
    expect(server.heads).toHaveLength(1);
  });

  test("has no request retried whose response had begun", async () => {
    const server = await startRawServer((socket, _head, count) => {
      if (count === 1) socket.write(fine);
      else
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", () =>
          setTimeout(() => socket.end(), 20),
        );
    });
    const { http } = startClient(server.url);
    await http.get("/");
    const response = await http.get("/", { retryOnStaleConnection: true });
    expect(response.error?.code).toBe("RESPONSE_TRUNCATED");
    expect(server.heads).toHaveLength(2);
  });
});

test("a request that waits to be written moves to another connection when its own is closed", async () => {
  const rounds = 30;
  let lastOfSecond: Socket | null = null;
  const server = await startRawServer((socket, head) => {
    if (head.includes("/second")) lastOfSecond = socket;
    socket.write(fine);
  });
  const { http, row, another } = startClient(server.url);
  const second = another();
  const both = () => Promise.all([http.get("/first"), second.http.get("/second")]);
  await both();
  for (let round = 0; round < rounds; round++) {
    // A connection that was just read from is reused without a check whether it has ended.
    await both();
    await setImmediate();
    // These are written in the next check phase of the event loop, after the loop has read from its sockets.
    const responses = both();
    (lastOfSecond as Socket | null)?.resetAndDestroy();
    expect((await responses).map((response) => response.text())).toEqual(["ok", "ok"]);
  }
  expect(row("GET /second")).toMatchObject({ succeeded: 2 * rounds + 1, failed: 0 });
  expect(server.sockets).toHaveLength(2 + rounds);
});
