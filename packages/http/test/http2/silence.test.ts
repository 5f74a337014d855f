import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { systemClock, type Clock } from "@bearhug/plan/pacing/clock";
import { describe, expect, onTestFinished, test } from "vitest";

import { startClient } from "../start-client.ts";
import { startHttp2Server } from "./http2-server.ts";
import { openHttp2 } from "./open-http2.ts";
import { startRawHttp2Server } from "./raw-http2-server.ts";

interface Relay {
  readonly port: number;
  /** Stops forwarding on the existing connections, which stay open. */
  readonly mute: () => void;
  readonly unmute: () => void;
}

/** Starts a relay between clients and a server on loopback; closed when the test has ended. */
async function startRelay(targetPort: number): Promise<Relay> {
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const target = connect({ host: "127.0.0.1", port: targetPort, noDelay: true });
    sockets.push(client.setNoDelay(true), target);
    client.on("data", (bytes) => target.write(bytes)).on("error", () => {});
    target.on("data", (bytes) => client.write(bytes)).on("error", () => {});
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mute: () => {
      for (const socket of sockets) socket.pause();
    },
    unmute: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}

/** A clock whose timers wait a twentieth of their time. */
const quickClock: Clock = {
  ...systemClock,
  at: (atMs, callback) => {
    const now = systemClock.now();
    return systemClock.at(now + (atMs - now) / 20, callback);
  },
};

describe("a connection that falls silent", () => {
  test.each(["perVu", "shared"] as const)(
    "fails the request that was on it, and no other: %s",
    async (connections) => {
      const server = await startHttp2Server((response) => response.end("ok"));
      const relay = await startRelay(server.port);
      const http = { ...defaultHttp, protocol: "h2c", connections } as const;
      const client = startClient(`http://127.0.0.1:${relay.port}`, [], [], http);
      for (let count = 0; count < 30; count++) {
        if (count === 8) relay.mute();
        await client.http.get("/", { timeout: "1s" });
      }
      expect(client.row("GET /")).toMatchObject({ started: 30, succeeded: 29, failed: 1 });
      expect(client.engine.errors.all()).toMatchObject([{ code: "RESPONSE_TIMEOUT", count: 1 }]);
      expect(client.metric("connections_opened")).toMatchObject({ total: 2 });
    },
  );

  test("is closed, and the requests on it fail as silent", async () => {
    const server = await startRawHttp2Server({});
    const { transport, send, reported, raw } = await openHttp2(server.port, { clock: quickClock });
    await expect.poll(() => transport.room).toBeGreaterThan(1);
    const [late, other] = [send(), send()];
    await server.received("HEADERS", 2);
    transport.cancel(late, true);
    expect([transport.isSuspect, transport.room > 0]).toEqual([true, true]);
    await server.received("PING");
    await expect.poll(() => reported.at(-1)).toBe("gone 0");
    expect(other.calls).toEqual(["start", "sent"]);
    expect(await other.failure()).toMatchObject({ kind: "silent" });
    expect(raw.destroyed).toBe(true);
    expect(server.framesOf("PING")).toHaveLength(1);
  });

  test("and then recovers finishes the requests on it, but gets no more", async () => {
    const server = await startHttp2Server((response, request) => {
      if (request.url === "/") response.end("ok");
    });
    const relay = await startRelay(server.port);
    const { transport, send, reported } = await openHttp2(relay.port);
    await send().over;
    const late = send({ path: "/never" });
    relay.mute();
    const other = send();
    transport.cancel(late, true);
    await expect.poll(() => reported.at(-1)).toBe("gone 0");
    relay.unmute();
    await other.over;
    expect([other.body, other.error, transport.room]).toEqual(["ok", null, 0]);
  });
});

test("a server that is slow but answers a PING keeps its connection", async () => {
  const server = await startHttp2Server((response, request) => {
    if (request.url === "/") response.end("ok");
  });
  const http = { ...defaultHttp, protocol: "h2c" } as const;
  const client = startClient(`http://127.0.0.1:${server.port}`, [], [], http);
  for (let count = 0; count < 3; count++) {
    expect((await client.http.get("/never", { timeout: "300ms" })).error?.code).toBe("RESPONSE_TIMEOUT");
    expect((await client.http.get("/")).text()).toBe("ok");
  }
  expect(client.metric("connections_opened")).toMatchObject({ total: 1 });
});

test("a timeout on a connection that has received bytes meanwhile does not make it suspect", async () => {
  const server = await startHttp2Server((response, request) => {
    if (request.url === "/") response.end("ok");
  });
  const { transport, send } = await openHttp2(server.port);
  await send().over;
  const late = send({ path: "/never" });
  await send().over;
  transport.cancel(late, true);
  expect(transport.isSuspect).toBe(false);
});
