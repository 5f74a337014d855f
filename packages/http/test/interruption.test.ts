import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { StopSignal } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { startRawServer, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

describe("the hard stop", () => {
  test("interrupts requests, sent or still waiting: they count neither as successes nor as failures", async () => {
    const server = await startRawServer(() => {});
    const { http, vu, session, row, metric, engine } = startClient(server.url);
    const pending = Array.from({ length: 9 }, () => http.get("/"));
    const outcomes = Promise.allSettled(pending);
    while (server.heads.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    vu.stop();
    for (const outcome of await outcomes) {
      expect(outcome.status === "rejected" ? outcome.reason : null).toBeInstanceOf(StopSignal);
    }
    expect(row("GET /")).toMatchObject({ started: 9, sent: 6, succeeded: 0, failed: 0, interrupted: 9 });
    expect(metric("http_reqs")).toBeUndefined();
    expect(engine.errors.all()).toEqual([]);
    expect(session.inFlight.size).toBe(0);
    await vu.idle();
  });

  test("ends requests that wait for a stream before it frees one for them", async () => {
    const streams: unknown[] = [];
    const server = createServer().on("stream", (stream) => {
      streams.push(stream.on("error", () => undefined));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const shared = { ...defaultHttp, protocol: "h2c", connections: "shared", maxConnections: 1 } as const;
    const { http, vu, another, row } = startClient(`http://127.0.0.1:${port}`, [], [], {
      ...shared,
      maxConcurrentStreams: 1,
    });
    const other = another();
    const pending = Promise.allSettled([http.get("/"), http.get("/"), other.http.get("/")]);
    while (streams.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const one of [vu, other.vu]) one.stopWaiting(null);
    for (const one of [vu, other.vu]) one.stop();
    await pending;
    expect(row("GET /")).toMatchObject({ started: 3, sent: 1, interrupted: 3 });
  });

  test("interrupts a request whose connection is still opening", async () => {
    const server = await startServer((_request, response) => void response.end());
    const { http, vu, row } = startClient(server.url);
    const pending = http.get("/");
    vu.stop();
    await expect(pending).rejects.toBeInstanceOf(StopSignal);
    expect(row("GET /")).toMatchObject({ started: 1, sent: 0, interrupted: 1 });
  });

  test("lets nothing more be sent", async () => {
    const server = await startServer((_request, response) => void response.end());
    const { http, vu, row } = startClient(server.url);
    await http.get("/");
    vu.stop();
    await expect(http.get("/")).rejects.toBeInstanceOf(StopSignal);
    await expect(http.batch(["/", "/"])).rejects.toBeInstanceOf(StopSignal);
    await expect(vu.pause(0)).rejects.toBeInstanceOf(StopSignal);
    expect(row("GET /")).toMatchObject({ started: 1 });
    expect(server.lines).toHaveLength(1);
  });

  test("interrupts the request to which a redirect led, and not the redirect itself", async () => {
    const server = await startServer((request, response) => {
      if (request.url === "/start") {
        response.writeHead(302, { location: "/there" });
        response.end();
      }
    });
    const { http, vu, row } = startClient(server.url);
    const pending = http.get("/start");
    while (!server.lines.includes("GET /there")) await new Promise((resolve) => setTimeout(resolve, 5));
    vu.stop();
    await expect(pending).rejects.toBeInstanceOf(StopSignal);
    expect(row("GET /start")).toMatchObject({ succeeded: 1, interrupted: 0 });
    expect(row("GET /there")).toMatchObject({ started: 1, interrupted: 1 });
  });

  test("ends pauses, aborts the signal, and closes connections", async () => {
    const server = await startRawServer(() => {});
    const { http, vu } = startClient(server.url);
    const signal = vu.signal;
    const pausing = vu.pause(60_000);
    const pending = http.get("/");
    while (server.heads.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    vu.stop();
    await expect(pausing).rejects.toBeInstanceOf(StopSignal);
    await expect(pending).rejects.toBeInstanceOf(StopSignal);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(StopSignal);
    const [socket] = server.sockets;
    if (socket?.closed === false) await new Promise((resolve) => socket.once("close", resolve));
    expect(socket?.closed).toBe(true);
  });

  test("aborts a signal that the test reads only after the stop", () => {
    const { vu } = startClient("http://127.0.0.1:1");
    vu.stop();
    expect(vu.signal.aborted).toBe(true);
  });
});
