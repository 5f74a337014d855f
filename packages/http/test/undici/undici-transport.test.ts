import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { eachOpeningPhase } from "@bearhug/sdk/internal";
import { describe, expect, onTestFinished, test } from "vitest";

import type { WireRequest } from "../../src/transport/transport.ts";
import { speakUndici } from "../../src/undici/create-undici-transport.ts";
import { Recording } from "../http1/open-http1.ts";
import { startRawServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const response = "HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nX-Odd: \xe4\r\ncontent-length: 2\r\n\r\nok";

/** Starts a server that sends the same response to each request, and records what it reads. */
async function startServer() {
  let receivedText = "";
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket
      .on("error", () => {})
      .setEncoding("latin1")
      .on("data", (text: string) => {
        receivedText += text;
        if (text.endsWith("\r\n\r\n") || text.endsWith("body")) socket.write(response, "latin1");
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, sockets, receivedText: () => receivedText };
}

async function openUndici(port: number, maxRequests = Number.POSITIVE_INFINITY, pipelining = 1) {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  const text = "http://shop.example:8080";
  const origin = { isSecure: false, host: "shop.example", port: 8080, text, pool: text };
  const reported: string[] = [];
  const transport = speakUndici({
    protocol: "HTTP/1.1",
    maxConcurrentStreams: 100,
    pipelining,
    origin,
    socket,
    raw: socket,
    wire: socket,
    phases: { ...eachOpeningPhase(() => 0), connecting: 1 },
    peer: { remoteAddress: "127.0.0.1", remotePort: port, tls: null },
    proxy: null,
    clock: systemClock,
    maxRequests,
    observer: {
      onGone: () => reported.push("gone"),
      onRoom: () => reported.push("room"),
      onUnrequestedBytes: (_transport, bytes, lastName) =>
        reported.push(`${bytes} unrequested after ${lastName}`),
    },
    lastRead: { atMs: 0 },
  });
  onTestFinished(() => {
    transport.close();
  });
  const send = (changes: Partial<WireRequest> = {}) => {
    const recording = new Recording();
    const request = { method: "GET", origin, path: "/", headers: [], body: null, isConstant: false };
    transport.send({ ...request, ...changes }, recording);
    return recording;
  };
  return { transport, socket, reported, send };
}

describe("a connection on which undici speaks", () => {
  test("carries one request after another, and reports each one's events in order", async () => {
    const server = await startServer();
    const { transport, reported, send } = await openUndici(server.port);
    for (let count = 1; count <= 3; count++) {
      const recording = send();
      expect(transport.room).toBe(0);
      await recording.over;
      expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
      expect(recording.head).toMatchObject({ status: 200, statusText: "OK", setsCookie: true });
      expect(recording.head?.rawHeaders()).toEqual([
        "set-cookie",
        "a=1",
        "X-Odd",
        "\xe4",
        "content-length",
        "2",
      ]);
      expect([transport.carried, transport.room, transport.isIdle]).toEqual([count, 1, true]);
    }
    expect(server.sockets).toHaveLength(1);
    expect(reported).toEqual([]);
    const request = "GET / HTTP/1.1\r\nhost: shop.example:8080\r\nconnection: keep-alive\r\n\r\n";
    expect(server.receivedText()).toBe(request.repeat(3));
    expect(transport.takeBytes()).toEqual({ sent: 3 * request.length, received: 3 * response.length });
  });

  test("is kept after a DELETE with a body, and closes after its last request", async () => {
    const server = await startServer();
    const { transport, reported, send } = await openUndici(server.port, 3);
    await send({ method: "DELETE", body: Buffer.from("body") }).over;
    expect(transport.room).toBe(1);
    await send().over;
    expect([transport.room, reported]).toEqual([1, []]);
    await send().over;
    expect([transport.room, reported]).toEqual([0, ["gone"]]);
    expect(server.receivedText().match(/connection: [\w-]+/g)).toEqual([
      "connection: keep-alive",
      "connection: keep-alive",
      "connection: close",
    ]);
  });

  test("hands back a request that had not begun when the connection ended", async () => {
    const server = await startServer();
    const { transport, socket, reported, send } = await openUndici(server.port);
    await send().over;
    const recording = send();
    socket.destroy();
    await recording.over;
    expect(recording.calls).toEqual(["unsent"]);
    expect([transport.carried, transport.room, reported]).toEqual([1, 0, ["gone"]]);
  });

  test("reports nothing more of a cancelled request, and is closed", async () => {
    const server = createServer(() => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { transport, socket, reported, send } = await openUndici((server.address() as AddressInfo).port);
    const recording = send();
    await new Promise(setImmediate);
    transport.cancel(recording, false);
    await new Promise((resolve) => socket.once("close", resolve));
    expect(recording.calls).toEqual(["start", "sent"]);
    expect([transport.room, transport.isIdle, reported]).toEqual([0, true, ["gone"]]);
  });
});

/** Starts a server that responds to HEAD without the body that it announces. */
async function startHeadServer() {
  return startRawServer((socket, head) => {
    const body = head.startsWith("HEAD") ? "" : "ok";
    socket.write(`HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n${body}`);
  });
}

const get = "GET / HTTP/1.1\r\nhost: shop.example:8080\r\nconnection: keep-alive\r\n\r\n";

/** Starts a server that sends nothing by itself, and records what it reads. */
async function startSilentServer() {
  let receivedText = "";
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).on("data", (bytes) => (receivedText += bytes.toString("latin1")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, sockets, receivedText: () => receivedText };
}

describe("a connection on which undici pipelines", () => {
  test("has several requests in flight, whose responses come in order", async () => {
    const server = await startSilentServer();
    const { transport, send } = await openUndici(server.port, undefined, 3);
    const recordings = [send(), send(), send()];
    expect([transport.isMultiplexed, transport.room]).toEqual([true, 0]);
    await expect.poll(() => server.receivedText()).toBe(get.repeat(3));
    for (const body of ["one", "two", "333"])
      server.sockets[0]?.write(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n${body}`);
    await Promise.all(recordings.map(({ over }) => over));
    for (const { calls } of recordings)
      expect(calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
    expect(recordings.map(({ body }) => body)).toEqual(["one", "two", "333"]);
    expect([transport.carried, transport.room]).toEqual([3, 3]);
  });

  test("that the server closes fails each request in flight once, and retries none", async () => {
    const server = await startSilentServer();
    const { transport, send, reported } = await openUndici(server.port, undefined, 3);
    const recordings = [send(), send(), send()];
    await expect.poll(() => server.receivedText()).toBe(get.repeat(3));
    server.sockets[0]?.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none");
    await Promise.all(recordings.map(({ over }) => over));
    expect(recordings.map(({ calls }) => calls.at(-1))).toEqual(["end", "failure", "failure"]);
    expect([transport.room, reported, server.sockets.length]).toEqual([0, ["gone"], 1]);
  });

  test("fails the requests sent after a cancelled one, and hands back those not written", async () => {
    const server = await startSilentServer();
    const { transport, send } = await openUndici(server.port, undefined, 3);
    const [first, second] = [send(), send()];
    const unwritten = send({ method: "POST", body: Buffer.from("body") });
    await expect.poll(() => server.receivedText()).toBe(get.repeat(2));
    transport.cancel(first, true);
    await Promise.all([second.over, unwritten.over]);
    expect(first.calls).toEqual(["start", "sent"]);
    expect(second.error).toMatchObject({ info: { kind: "pipelineBroken" } });
    expect(unwritten.calls).toEqual(["unsent"]);
  });
});

describe("http with transport undici", () => {
  const undici = { ...defaultHttp, transport: "undici" } as const;

  test.each([1, 4])("goes on after a HEAD, with pipelining %i", async (pipelining) => {
    const server = await startHeadServer();
    const { http, row, metric } = startClient(server.url, [], [], { ...undici, pipelining });
    for (const method of ["HEAD", "GET", "HEAD", "HEAD", "GET"] as const) {
      const { status, error } = await http.request(method, "/", { name: "each", timeout: "5s" });
      expect([status, error]).toEqual([200, null]);
    }
    expect(row("each")).toMatchObject({ started: 5, sent: 5, succeeded: 5 });
    expect(metric("connections_opened")).toMatchObject({ total: 1 });
  });

  test("reports a header that undici does not write", async () => {
    const server = await startServer();
    const { http, row } = startClient(server.url, [], [], undici);
    const { error } = await http.get("/", { headers: { "keep-alive": "timeout=5" } });
    expect(error).toMatchObject({ code: "INVALID_REQUEST", phase: "blocked" });
    expect(error?.message).toContain("is not valid HTTP: undici: invalid keep-alive header");
    expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect((await http.get("/")).text()).toBe("ok");
  });

  test("pipelining: the server's own count is the number sent, over as few connections as possible", async () => {
    const server = await startSilentServer();
    const client = startClient(server.url, [], [], { ...undici, pipelining: 4 });
    const batch = client.http.batch(Array.from({ length: 6 }, () => ({ url: "/", name: "piped" })));
    const count = (): number => server.receivedText().split("GET / ").length - 1;
    await expect.poll(count).toBe(6);
    expect(server.sockets).toHaveLength(2);
    server.sockets[0]?.end(response, "latin1");
    server.sockets[1]?.write(response.repeat(2), "latin1");
    const codes = (await batch).map(({ error }) => error?.code ?? null);
    expect(codes.filter((code) => code === null)).toHaveLength(3);
    // The code of a failure depends on the time since the request began.
    expect(["STALE_CONNECTION", "CONNECTION_CLOSED", null]).toEqual(expect.arrayContaining(codes));
    expect(client.row("piped")).toMatchObject({ started: 6, sent: 6, succeeded: 3, failed: 3 });
    expect([count(), server.sockets.length]).toEqual([6, 2]);
  });

  test.each([
    ["perVu", 2],
    ["shared", 1],
  ] as const)("two VUs share connections or not, as connections: %s requires", async (connections, count) => {
    const server = await startServer();
    const { http, another } = startClient(server.url, [], [], { ...undici, connections });
    const { http: other } = another();
    await http.get("/");
    await other.get("/");
    expect(server.sockets).toHaveLength(count);
  });
});
