import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { startNameServer } from "../net/start-name-server.ts";
import { startClient } from "../start-client.ts";

/** Responds with the connection's number: to `/slow` when the test calls its `held`, to all else at once. */
async function startAged(protocol: ValidatedHttp["protocol"], host?: string) {
  const sockets: Socket[] = [];
  const held: (() => void)[] = [];
  const server: Server | Http2Server =
    protocol === "h2c"
      ? createHttp2Server((request, response) => {
          const connection = sockets.findIndex((socket) => socket.remotePort === request.socket.remotePort);
          answer(request.url, () => response.end(String(connection)));
        })
      : createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
          answer(request.url ?? "", () => response.end(String(sockets.indexOf(request.socket))));
        });
  const answer = (path: string, end: () => void): void => {
    if (path === "/slow") held.push(end);
    else end();
  };
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { port: (server.address() as AddressInfo).port, sockets, held };
}

const protocols = ["http1", "h2c"] as const;
const transports = ["bearhug", "undici"] as const;
const clients = transports.flatMap((transport) =>
  protocols.map((protocol) => [protocol, transport] as const),
);

describe.for(clients)("a connection of %s over %s", ([protocol, transport]) => {
  function clientOf(port: number, given: Partial<ValidatedHttp>) {
    const http = { ...defaultHttp, protocol, transport, ...given };
    return startClient(`http://127.0.0.1:${port}`, [], [], http);
  }

  test("that is idle is closed at its maximum age, and the next request opens another", async () => {
    const server = await startAged(protocol);
    const { http } = clientOf(server.port, { maxConnectionAge: 30 });
    expect((await http.get("/")).text()).toBe("0");
    await eventually(() => {
      expect(server.sockets[0]?.closed).toBe(true);
    });
    const next = await http.get("/");
    expect([next.error, next.text(), next.connection?.isReused]).toEqual([null, "1", false]);
  });

  test("finishes the request that is on it at its maximum age, and is closed then", async () => {
    const server = await startAged(protocol);
    const { http } = clientOf(server.port, { maxConnectionAge: 20 });
    const slow = http.get("/slow");
    await eventually(() => {
      expect(server.held).toHaveLength(1);
    });
    await setTimeout(30);
    expect((await http.get("/")).text()).toBe("1");
    const first = server.sockets[0];
    expect(first?.closed).toBe(false);
    server.held[0]?.();
    const done = await slow;
    expect([done.error, done.status, done.text()]).toEqual([null, 200, "0"]);
    await eventually(() => {
      expect(first?.closed).toBe(true);
    });
  });

  test("is reused below that age, and at any age without a maximum", async () => {
    const server = await startAged(protocol);
    for (const maxConnectionAge of [null, 3_600_000]) {
      const { http } = clientOf(server.port, { maxConnectionAge });
      await http.get("/");
      expect((await http.get("/")).connection?.isReused).toBe(true);
    }
    expect(server.sockets).toHaveLength(2);
  });
});

test.for(transports)("requests move to the current address in DNS, over %s", async (transport) => {
  const server = await startAged("http1", "0.0.0.0");
  let address = "127.0.0.1";
  const { address: nameServer } = await startNameServer((question) =>
    question.startsWith("A ") ? [address] : [],
  );
  const { http } = startClient(`http://shop.example:${server.port}`, [], [], {
    ...defaultHttp,
    transport,
    maxConnectionAge: 20,
    dns: { ...defaultHttp.dns, ttlMs: 0, policy: "onlyIPv4", servers: [nameServer] },
  });
  const before = await http.get("/");
  address = "127.0.0.2";
  await eventually(() => {
    expect(server.sockets[0]?.closed).toBe(true);
  });
  const after = await http.get("/");
  expect([before, after].map(({ connection }) => connection?.remoteAddress)).toEqual([
    "127.0.0.1",
    "127.0.0.2",
  ]);
});
