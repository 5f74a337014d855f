import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "./http2/http2-server.ts";
import { startRawServer, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

const sixteen = Array.from({ length: 16 }, (_, index) => `/${index}`);

/** Responds 30 ms after six requests wait, so that a seventh would be seen, or after the last ones came. */
async function startPatient() {
  const held: ServerResponse[] = [];
  let mostHeld = 0;
  let count = 0;
  const server = await startServer((_request, response) => {
    held.push(response);
    count++;
    mostHeld = Math.max(mostHeld, held.length);
    if (held.length === 6 || count === sixteen.length) {
      setTimeout(() => {
        for (const one of held.splice(0)) one.end("ok");
      }, 30);
    }
  });
  return { ...server, mostHeld: () => mostHeld };
}

describe("the connections of a VU", () => {
  test("are six to one origin, and a batch returns its responses in the order of its requests", async () => {
    const server = await startPatient();
    const { http } = startClient(server.url);
    const responses = await http.batch(sixteen);
    expect(responses.map(({ status }) => status)).toEqual(sixteen.map(() => 200));
    expect(server.mostHeld()).toBe(6);
    expect(server.sockets).toHaveLength(6);
    expect([...server.lines].sort()).toEqual(sixteen.map((path) => `GET ${path}`).sort());
    expect(responses.map(({ url }) => url)).toEqual(sixteen.map((path) => server.url + path));
  });

  test("are six to each of two origins", async () => {
    const [one, two] = [await startPatient(), await startPatient()];
    const { http } = startClient(one.url, [two.host]);
    await http.batch([...sixteen, ...sixteen.map((path) => two.url + path)]);
    expect([one.mostHeld(), two.mostHeld()]).toEqual([6, 6]);
    expect([one.sockets.length, two.sockets.length]).toEqual([6, 6]);
    expect([one.lines.length, two.lines.length]).toEqual([16, 16]);
  });

  test("are reused, the most recently used one first", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const { http } = startClient(server.url);
    for (let time = 0; time < 5; time++) await http.get("/");
    expect(server.sockets).toHaveLength(1);
    await http.batch(["/a", "/b", "/c"]);
    const used = server.sockets.length;
    server.connectionOf.length = 0;
    for (let time = 0; time < 5; time++) await http.get("/");
    expect(server.sockets).toHaveLength(used);
    expect(new Set(server.connectionOf).size).toBe(1);
  });

  test("are not shared with other VUs", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const client = startClient(server.url);
    const { http } = client.another();
    await client.http.get("/");
    await http.get("/");
    expect(server.sockets).toHaveLength(2);
  });

  test("charge their opening to the first request alone", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const { http, metric, engine } = startClient(server.url.replace("127.0.0.1", "localhost"));
    const first = await http.get("/");
    const second = await http.get("/");
    expect(first.timings.connecting).toBeGreaterThan(0);
    expect(first.timings.lookingUp).toBeGreaterThan(0);
    expect(first.timings.tlsHandshaking).toBe(0);
    expect(first.timings.blocked).toBeGreaterThanOrEqual(first.timings.connecting + first.timings.lookingUp);
    expect(second.timings).toMatchObject({ connecting: 0, lookingUp: 0, tlsHandshaking: 0 });
    expect(metric("connections_opened")).toMatchObject({ total: 1 });
    expect(engine.accounting.get("connectionsOpened")).toBe(1);
    expect(engine.accounting.get("connectionsClosed")).toBe(0);
  });

  test("that are free block no request", async () => {
    const { port } = await startHttp2Server((response) => void response.end("ok"));
    const http2 = { ...defaultHttp, protocol: "h2c" } as const;
    const { http } = startClient(`http://127.0.0.1:${port}`, [], [], http2);
    const [first, second] = [await http.get("/"), await http.get("/")];
    expect(first.timings.blocked).toBeGreaterThan(0);
    expect(second.timings.blocked).toBe(0);
    expect(second.timings.responseTime).toBe(second.timings.duration);
  });

  test.each([
    { method: "HEAD", status: 200 },
    { method: "GET", status: 204 },
    { method: "GET", status: 304 },
    { method: "DELETE", status: 200 },
    { method: "POST", status: 200 },
    { method: "OPTIONS", status: 200 },
    { method: "PURGE", status: 200 },
  ])("stay open after $method with status $status", async ({ method, status }) => {
    const server = await startServer((_request, response) => {
      response.writeHead(status, status === 200 ? { "content-length": 2 } : {});
      response.end(status === 200 ? "ok" : undefined);
    });
    const { http } = startClient(server.url);
    const options = method === "DELETE" || method === "POST" ? { body: "some body" } : {};
    for (let time = 0; time < 3; time++) {
      const response = await http.request(method, "/", options);
      expect(response).toMatchObject({ status, error: null });
    }
    expect(server.sockets).toHaveLength(1);
  });

  test("are replaced without an error when the server closes them between requests", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const { http, row, engine } = startClient(server.url);
    await http.get("/");
    server.sockets[0]?.end();
    await wait(30);
    const again = await http.get("/");
    expect(again).toMatchObject({ status: 200, error: null });
    expect(again.timings.connecting).toBeGreaterThan(0);
    expect(server.sockets).toHaveLength(2);
    expect(row("GET /")).toMatchObject({ started: 2, sent: 2, succeeded: 2 });
    expect(engine.accounting.get("connectionsClosed")).toBe(1);
  });

  test("are replaced after a response with `connection: close`", async () => {
    const server = await startServer((_request, response) => {
      response.setHeader("connection", "close");
      response.end("ok");
    });
    const { http } = startClient(server.url);
    for (let time = 0; time < 3; time++) expect((await http.get("/")).text()).toBe("ok");
    expect(server.sockets).toHaveLength(3);
  });

  test("are closed with the pool", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const { http, session } = startClient(server.url);
    await http.batch(["/a", "/b"]);
    session.pool.close();
    for (const socket of server.sockets)
      if (!socket.closed) await new Promise((done) => socket.once("close", done));
    expect(server.sockets.every(({ closed }) => closed)).toBe(true);
  });

  test("are closed when it retires, and those of another VU are not", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const client = startClient(server.url);
    const other = client.another();
    await client.http.get("/");
    await other.http.get("/");
    other.vu.retire();
    await expect.poll(() => server.sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]);
    expect((await client.http.get("/")).text()).toBe("ok");
    expect(server.sockets).toHaveLength(2);
  });
});

describe("wire bytes", () => {
  test("are what the server's socket read and wrote", async () => {
    const server = await startServer((request, response, body) => {
      response.setHeader("x-echo", "a".repeat(body.length));
      if (request.url === "/chunked") response.write("first ");
      response.end("z".repeat(10_000));
    });
    const { http, metric, engine } = startClient(server.url);
    const responses = [
      await http.get("/plain"),
      await http.post("/", { body: "b".repeat(3000) }),
      await http.get("/chunked", { headers: { "x-own": "1" } }),
    ];
    const [socket] = server.sockets;
    const sent = responses.reduce((sum, { size }) => sum + size.sent, 0);
    const received = responses.reduce((sum, { size }) => sum + size.received, 0);
    expect(sent).toBe(socket?.bytesRead);
    expect(received).toBe(socket?.bytesWritten);
    expect(responses.map(({ size }) => size.body)).toEqual([10_000, 10_000, 10_006]);
    expect(metric("data_sent")).toMatchObject({ total: sent });
    expect(metric("data_received")).toMatchObject({ total: received });
    expect(engine.accounting.get("bytesSent")).toBe(sent);
    expect(engine.accounting.get("bytesReceived")).toBe(received);
  });

  test("never count backwards when a request ends before its new connection is open", async () => {
    const server = await startServer((_request, response) => void response.end("x".repeat(5000)));
    const { http, vu, engine } = startClient(server.url);
    await http.get("/");
    const { sent, received } = {
      sent: engine.accounting.get("bytesSent"),
      received: engine.accounting.get("bytesReceived"),
    };
    server.sockets[0]?.end();
    await wait(30);
    const pending = http.get("/");
    vu.stop();
    await expect(pending).rejects.toThrow("interrupted");
    expect(engine.accounting.get("bytesSent")).toBe(sent);
    expect(engine.accounting.get("bytesReceived")).toBe(received);
  });
});

test("kept bodies do not change, however many more arrive on the same connection", async () => {
  const body = (number: number): string => String(number % 10).repeat(3000 + number);
  const server = await startRawServer((socket, _head, count) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nx-number: ${count}\r\ncontent-length: ${body(count).length}\r\n\r\n${body(count)}`,
    );
  });
  const { http } = startClient(server.url);
  const responses = [];
  for (let time = 0; time < 200; time++) responses.push(await http.get("/"));
  for (const [index, response] of responses.entries()) {
    expect(response.headers.get("X-Number")).toBe(String(index + 1));
    expect(response.text() === body(index + 1)).toBe(true);
  }
});
