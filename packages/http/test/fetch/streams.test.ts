import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, onTestFinished, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { drainMs } from "../../src/fetch/response-stream.ts";
import { closedPort, startRawServer, startServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";

const withoutEnd = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbegin";

/** A body that is larger than all buffers between server and test. */
const large = Buffer.alloc(16 * 1024 * 1024, "x");

async function startHttp2(
  answer: (stream: { respond(): void; end(body: Buffer): void }) => void,
): Promise<string> {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    answer({ respond: () => stream.respond({ ":status": 200 }), end: (body) => stream.end(body) });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function settled({ session, vu, row }: TestClient, name: string, counts: object): Promise<void> {
  await vu.idle();
  expect(row(name)).toMatchObject({ started: 1, interrupted: 0, ...counts });
  expect(session.inFlight.size).toBe(0);
}

describe("a response of http.fetch that is read as it comes", () => {
  test("passes on each server-sent event as it arrives", async () => {
    let write: (text: string) => void = () => undefined;
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      write = (text) => void response.write(text);
    });
    const client = startClient(server.url);
    const { body } = await client.http.fetch("/events");
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const event of ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]) {
      write(event);
      expect(await reader.read()).toEqual({ done: false, value: event });
    }
    await reader.cancel();
    await settled(client, "GET /events", { sent: 1, succeeded: 1 });
    expect(client.engine.errors.all()).toEqual([]);
  });

  test.each(["HTTP/1.1", "HTTP/2"])(
    "over %s holds the server back while the test does not read, which is not timed",
    async (protocol) => {
      // Long enough to receive what the buffers take, on a busy machine.
      const timeoutMs = 4000;
      // The window of a stream is smaller than what a socket takes.
      const body = protocol === "HTTP/2" ? large.subarray(0, 4 * 1024 * 1024) : large;
      let url: string;
      if (protocol === "HTTP/2")
        url = await startHttp2((stream) => {
          stream.respond();
          stream.end(body);
        });
      else ({ url } = await startServer((_request, response) => void response.end(body)));
      const http = {
        ...defaultHttp,
        ...(protocol === "HTTP/2" ? { protocol: "h2c" as const } : {}),
        timeout: { ...defaultHttp.timeout, wholeMs: timeoutMs },
      };
      const client = startClient(url, [], [], http);
      const response = await client.http.fetch("/");
      const [exchange] = client.session.inFlight;
      await eventually(() => {
        expect(exchange?.isPaused).toBe(true);
      });
      await new Promise((resolve) => setTimeout(resolve, 1.1 * timeoutMs));
      expect(exchange?.bodyBytes).toBeLessThan(body.length);
      expect((await response.arrayBuffer()).byteLength).toBe(body.length);
      expect(exchange?.pausedMs).toBeGreaterThan(timeoutMs);
      const { calledAt = 0, endedAt = 0, pausedMs = 0 } = exchange ?? {};
      expect((exchange?.timings().responseTime ?? 0) + pausedMs).toBeCloseTo(endedAt - calledAt);
      await settled(client, "GET /", { succeeded: 1 });
    },
  );

  test("times out while it is read; pauses do not count", async () => {
    const server = await startRawServer((socket) => void socket.write(withoutEnd));
    const client = startClient(server.url, [], [], {
      ...defaultHttp,
      timeout: { ...defaultHttp.timeout, wholeMs: 500 },
    });
    const response = await client.http.fetch("/");
    await expect(response.text()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_BODY_TIMEOUT", bearhugCode: "RESPONSE_TIMEOUT" },
    });
    await settled(client, "GET /", { failed: 1 });
  });
});

describe("a request of http.fetch that the test aborts", () => {
  test("before it has a connection, or before its response, fails once", async () => {
    const server = await startRawServer(() => {});
    const client = startClient(server.url, [], [], { ...defaultHttp, maxConnections: 1 });
    const aborter = new AbortController();
    const pending = ["/sent", "/blocked"].map((path) => client.http.fetch(path, { signal: aborter.signal }));
    await eventually(() => {
      expect(server.heads).toHaveLength(1);
    });
    aborter.abort();
    for (const outcome of await Promise.allSettled(pending))
      expect(outcome).toMatchObject({ reason: { name: "AbortError" } });
    expect(client.row("GET /sent")).toMatchObject({ started: 1, sent: 1, failed: 1 });
    expect(client.row("GET /blocked")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(client.engine.errors.all().map(({ code }) => code)).toEqual([
      "REQUEST_ABORTED",
      "REQUEST_ABORTED",
    ]);
    expect(client.session.inFlight.size).toBe(0);
  });

  test("while it connects fails once, and before it begins is never sent", async () => {
    const client = startClient(await closedPort());
    const aborter = new AbortController();
    const pending = client.http.fetch("/", { signal: aborter.signal });
    await eventually(() => {
      expect(client.row("GET /")).toMatchObject({ started: 1 });
    });
    aborter.abort(new Error("enough"));
    await expect(pending).rejects.toThrow();
    await settled(client, "GET /", { sent: 0, failed: 1 });
    await expect(client.http.fetch("/never", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(client.row("GET /never")).toBeUndefined();
  });

  test("after its head is no failure, unless the test's own timeout has expired", async () => {
    const server = await startRawServer((socket) => void socket.write(withoutEnd));
    const client = startClient(server.url);
    const aborter = new AbortController();
    const response = await client.http.fetch("/enough", { signal: aborter.signal });
    aborter.abort();
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
    await settled(client, "GET /enough", { succeeded: 1 });
    expect(client.engine.errors.all()).toEqual([]);
    const hasty = startClient(server.url);
    const late = await hasty.http.fetch("/late", { signal: AbortSignal.timeout(500) });
    await expect(late.text()).rejects.toMatchObject({ name: "TimeoutError" });
    await settled(hasty, "GET /late", { failed: 1 });
    expect(hasty.engine.errors.all().map(({ code }) => code)).toEqual(["REQUEST_ABORTED"]);
  });
});

describe("at the end of an iteration", () => {
  test("a paused response is dropped at once, and counts as a success", async () => {
    const server = await startServer((_request, response) => void response.end(large));
    const client = startClient(server.url);
    const response = await client.http.fetch("/");
    const [exchange] = client.session.inFlight;
    await eventually(() => {
      expect(exchange?.isPaused).toBe(true);
    });
    const startedAt = performance.now();
    await settled(client, "GET /", { succeeded: 1 });
    expect(performance.now() - startedAt).toBeLessThan(drainMs);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  test("a response that is still arriving is dropped after a moment", async () => {
    const server = await startRawServer((socket) => void socket.write(withoutEnd));
    const client = startClient(server.url);
    await client.http.fetch("/");
    await settled(client, "GET /", { succeeded: 1 });
    expect(client.engine.errors.all()).toEqual([]);
  });

  test("a request without a response is awaited, and its response then has a moment", async () => {
    let answer: () => void = () => undefined;
    const server = await startRawServer((socket) => {
      answer = () => void socket.write(withoutEnd);
    });
    const client = startClient(server.url);
    const pending = client.http.fetch("/");
    await eventually(() => {
      expect(server.heads).toHaveLength(1);
    });
    const idle = settled(client, "GET /", { succeeded: 1 });
    setTimeout(answer, 50);
    expect((await pending).status).toBe(200);
    await idle;
  });
});

test("the hard stop interrupts requests and responses of http.fetch, and nothing more is sent", async () => {
  const server = await startRawServer((socket, head) => {
    if (head.includes("/begun")) socket.write(withoutEnd);
  });
  const { http, vu, row } = startClient(server.url);
  const begun = await http.fetch("/begun");
  const waiting = http.fetch("/waiting");
  await eventually(() => {
    expect(server.heads).toHaveLength(2);
  });
  const outcomes = Promise.allSettled([begun.text(), waiting]);
  vu.stop();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ reason: { cause: { name: "StopSignal" } } });
  await expect(http.fetch("/more")).rejects.toMatchObject({ name: "StopSignal" });
  for (const name of ["GET /begun", "GET /waiting"])
    expect(row(name)).toMatchObject({ started: 1, interrupted: 1 });
  expect(row("GET /more")).toBeUndefined();
  await vu.idle();
});
