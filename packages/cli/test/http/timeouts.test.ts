import { createServer } from "node:net";
import { once } from "node:events";

import { describe, expect, onTestFinished, test } from "vitest";

import { startRawServer, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** Long enough for a connection to open on a busy machine. */
const timeoutMs = 400;

const answerOne = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1";

describe("a request that takes longer than its time-out", () => {
  test("while the server says nothing is a latency of no less than the time-out", async () => {
    const server = await startRawServer((socket, head) => {
      if (head.includes("/warm")) socket.write(answerOne);
    });
    const { http, row, metric } = startClient(server.url);
    await http.get("/warm");
    const began = performance.now();
    const response = await http.get("/", { timeout: timeoutMs });
    expect(performance.now() - began).toBeGreaterThanOrEqual(timeoutMs);
    expect(response.error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase: "waiting" });
    expect(response.timings.responseTime).toBeGreaterThanOrEqual(timeoutMs);
    expect(row("GET /")).toMatchObject({ started: 1, sent: 1, failed: 1 });
    const recorded = metric("http_req_response_time{name:GET /}");
    expect(recorded?.type === "trend" ? recorded.min : 0).toBeGreaterThanOrEqual(timeoutMs * 1000);
    expect(metric("http_req_duration{name:GET /}")).toMatchObject({ count: 1 });
  });

  test("is not kept alive by a body that drips", async () => {
    let dripped = 0;
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
      const drip = setInterval(() => {
        dripped++;
        socket.write("x");
      }, 10);
      socket.once("close", () => {
        clearInterval(drip);
      });
    });
    const { http } = startClient(server.url);
    const response = await http.get("/", { timeout: timeoutMs });
    expect(response.error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase: "receiving" });
    expect(response.size.body).toBeGreaterThan(0);
    expect(dripped).toBeGreaterThan(2);
    expect(dripped).toBeLessThan(1000);
  });

  test("is not kept alive by a head that drips", async () => {
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("x: y\r\n"), 10);
      socket.once("close", () => {
        clearInterval(drip);
      });
    });
    const response = await startClient(server.url).http.get("/", { timeout: timeoutMs });
    expect(response.error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase: "receiving" });
    expect(response.status).toBe(0);
  });

  test("while it waits for one of six connections never reaches the server", async () => {
    const server = await startRawServer(() => {});
    const { http, row, metric } = startClient(server.url);
    const six = Array.from({ length: 6 }, () => http.get("/slow", { timeout: 3 * timeoutMs }));
    const waiting = http.get("/waiting", { timeout: timeoutMs });
    expect((await waiting).error).toMatchObject({ code: "POOL_TIMEOUT", phase: "blocked" });
    expect(row("GET /waiting")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(metric("http_req_duration{name:GET /waiting}")).toBeUndefined();
    await Promise.all(six);
    expect(server.heads.some((head) => head.includes("/waiting"))).toBe(false);
  });

  test("while a TLS handshake is not answered has a code of its own", async () => {
    const server = createServer(() => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const { http, row, metric } = startClient(`https://127.0.0.1:${port}`);
    const response = await http.get("/", { timeout: timeoutMs });
    expect(response.error).toMatchObject({ code: "TLS_TIMEOUT", phase: "tlsHandshaking" });
    expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(metric("http_req_duration")).toBeUndefined();
  });

  test("gives its connection up: the next request gets another, and a late answer goes to nobody", async () => {
    const server = await startRawServer((socket, _head, count) => {
      const answer = `HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${count}`;
      if (count === 1) setTimeout(() => socket.write(answer), 1.5 * timeoutMs);
      else socket.write(answer);
    });
    const { http } = startClient(server.url);
    expect((await http.get("/", { timeout: timeoutMs })).error?.code).toBe("RESPONSE_TIMEOUT");
    expect((await http.get("/")).text()).toBe("2");
    await new Promise((resolve) => setTimeout(resolve, timeoutMs));
    expect((await http.get("/")).text()).toBe("3");
    expect(server.sockets).toHaveLength(2);
  });

  test("hands its place to a request that waits", async () => {
    const server = await startRawServer((socket, head) => {
      if (head.includes("/fine")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const { http } = startClient(server.url);
    const slow = Array.from({ length: 6 }, () => http.get("/slow", { timeout: timeoutMs }));
    const fine = await http.get("/fine");
    expect(fine.text()).toBe("ok");
    for (const { error } of await Promise.all(slow)) expect(error?.code).toBe("RESPONSE_TIMEOUT");
  });
});

test("a request in time is not touched by its time-out", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end("ok"), 20));
  const { http } = startClient(server.url);
  const [a, b] = await http.batch([
    { url: "/a", timeout: 5000 },
    { url: "/b", timeout: "1m" },
  ]);
  expect([a.text(), b.text()]).toEqual(["ok", "ok"]);
  await expect(http.get("/", { timeout: "soon" as `${number}s` })).rejects.toThrow("Duration");
  expect((await http.get("/")).status).toBe(200);
});
