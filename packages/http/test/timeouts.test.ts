import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { startRawServer, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";
import { testedTransport } from "./tested-transport.ts";

/** Long enough for a connection to open on a busy machine. */
const timeoutMs = 400;

/** Clearly later than the timeout. */
const lateMs = 2 * timeoutMs;

const overHttp2: ValidatedHttp = { ...defaultHttp, protocol: "h2c" };

const answerOne = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1";

describe("a request that takes longer than its timeout", () => {
  test("because the server sends nothing has a latency of at least the timeout", async () => {
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
    // undici reports a head when all of it is there.
    const phase = testedTransport === "undici" ? "waiting" : "receiving";
    expect(response.error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase });
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

  test("gives up its connection: the next request gets another, and a late response is dropped", async () => {
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

test("a request that ends in time is not affected by its timeout", async () => {
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

/** A server that speaks HTTP/2 and leaves each stream to the test. */
async function startStreams(onStream: (stream: ServerHttp2Stream, path: string) => void) {
  const sockets: Socket[] = [];
  const server = createHttp2Server();
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    onStream(stream, headers[":path"] ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

describe("a stream of HTTP/2 that takes longer than its timeout", () => {
  test("is reset, and the other streams of its connection go on", async () => {
    const resets: [string, number][] = [];
    const server = await startStreams((stream, path) => {
      stream.on("close", () => resets.push([path, stream.rstCode]));
      stream.respond();
      if (path === "/fine") setTimeout(() => stream.end("fine"), lateMs);
      else if (path !== "/never") stream.end("at once");
    });
    const { http, row } = startClient(server.url, [], [], overHttp2);
    // After this, the server has announced how many streams it allows.
    await http.get("/first");
    const fine = http.get("/fine");
    const never = await Promise.all([1, 2].map(() => http.get("/never", { timeout: timeoutMs })));
    for (const { error, timings } of never) {
      expect(error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase: "receiving" });
      expect(timings.responseTime).toBeGreaterThanOrEqual(timeoutMs);
    }
    expect((await http.get("/then")).text()).toBe("at once");
    expect((await fine).text()).toBe("fine");
    expect(server.sockets).toHaveLength(1);
    // undici resets with NO_ERROR, bearhug's own client with CANCEL.
    const code = testedTransport === "undici" ? 0 : 8;
    expect(resets.filter(([path]) => path === "/never")).toEqual([1, 2].map(() => ["/never", code]));
    expect(row("GET /never")).toMatchObject({ started: 2, sent: 2, failed: 2 });
  });

  test("is not kept alive by a body that drips", async () => {
    let dripped = 0;
    const server = await startStreams((stream) => {
      stream.respond();
      const drip = setInterval(() => {
        dripped++;
        stream.write("x");
      }, 10);
      stream.once("close", () => clearInterval(drip));
    });
    const { http } = startClient(server.url, [], [], overHttp2);
    const response = await http.get("/", { timeout: timeoutMs });
    expect(response.error).toMatchObject({ code: "RESPONSE_TIMEOUT", phase: "receiving" });
    expect(response.size.body).toBeGreaterThan(0);
    expect(dripped).toBeGreaterThan(2);
  });
});

describe("the timeout of a part limits no other part", () => {
  test("connect limits neither the wait for one of six connections nor the response", async () => {
    const server = await startServer((_request, response) => {
      setTimeout(() => response.end("ok"), timeoutMs);
    });
    const { http } = startClient(server.url);
    const timeout = { connect: timeoutMs / 2 };
    const all = await Promise.all(Array.from({ length: 7 }, () => http.get("/", { timeout })));
    expect(all.map(({ error }) => error)).toEqual(all.map(() => null));
    expect(Math.max(...all.map(({ timings }) => timings.blocked))).toBeGreaterThan(timeoutMs / 2);
  });

  test.each([
    ["HTTP/1.1", "http1"],
    ["HTTP/2", "h2c"],
  ] as const)("firstByte limits neither the upload nor the body, on %s", async (_name, protocol) => {
    const answer = (stream: { write(text: string): unknown; end(text: string): unknown }): void => {
      stream.write("x");
      setTimeout(() => stream.end("y"), timeoutMs);
    };
    const { url } =
      protocol === "http1"
        ? await startServer((_request, response) => answer(response))
        : await startStreams((stream) => {
            setTimeout(() => stream.resume().on("end", () => answer(stream)), timeoutMs);
          });
    const { http } = startClient(url, [], [], { ...defaultHttp, protocol });
    const body = Buffer.alloc(1024 * 1024);
    const { error, timings } = await http.post("/", { body, timeout: { firstByte: timeoutMs / 2 } });
    expect(error).toBeNull();
    expect(timings.receiving).toBeGreaterThan(timeoutMs / 2);
    if (protocol === "h2c") expect(timings.sending).toBeGreaterThan(timeoutMs / 2);
  });
});
