import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttp2Server } from "node:http2";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { ClosingSockets } from "../src/net/closing-sockets.ts";
import { hasOpenssl, makeCertificate } from "./make-certificate.ts";
import { startClient } from "./start-client.ts";

async function listen(server: Server): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** Responds, and closes the connection 5 ms later. */
function answerAndClose(socket: Socket): void {
  socket.on("error", () => {});
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok");
    setTimeout(() => socket.end(), 5);
  });
}

/** Counts connections to a port in TIME_WAIT, by the end that holds its port. */
function timeWaits(port: number): { byServer: number; byClient: number } {
  const portOf = (address = ""): number => Number.parseInt(address.split(":")[1] ?? "", 16);
  const counts = { byServer: 0, byClient: 0 };
  for (const line of readFileSync("/proc/net/tcp", "latin1").split("\n").slice(1)) {
    const [, local, remote, state] = line.trim().split(/\s+/);
    if (state !== "06") continue;
    if (portOf(local) === port) counts.byServer++;
    if (portOf(remote) === port) counts.byClient++;
  }
  return counts;
}

const servers = [
  { what: "HTTP/1.1", scheme: "http", protocol: "http1", start: () => createServer(answerAndClose) },
  {
    what: "HTTP/1.1 over TLS",
    scheme: "https",
    protocol: "http1",
    start: () => createTlsServer(makeCertificate("IP:127.0.0.1"), answerAndClose),
  },
  {
    what: "HTTP/2",
    scheme: "http",
    protocol: "h2c",
    start: () => createHttp2Server((_request, response) => response.end("ok")),
  },
] as const;

describe.skipIf(process.platform !== "linux")("connections for each request (reads Linux's /proc)", () => {
  test.for(servers)(
    "use up no ports of the client if the server closes after its response: $what",
    async ({ scheme, protocol, start }, { skip }) => {
      skip(scheme === "https" && !hasOpenssl, "needs openssl to make certificates");
      const { port, sockets } = await listen(start());
      const tls = { ...defaultHttp.tls, insecureSkipTlsVerify: true };
      const options: ValidatedHttp = { ...defaultHttp, protocol, tls, connections: "perRequest" };
      const client = startClient(`${scheme}://127.0.0.1:${port}`, [], [], options);
      const visit = async (): Promise<void> => {
        const { http } = client.another();
        for (let time = 0; time < 10; time++) expect((await http.get("/")).text()).toBe("ok");
      };
      await Promise.all(Array.from({ length: 10 }, visit));
      expect(sockets).toHaveLength(100);
      await vi.waitFor(() => expect(sockets.every(({ closed }) => closed)).toBe(true), { timeout: 5000 });
      const { byServer, byClient } = timeWaits(port);
      expect(byClient).toBeLessThan(10);
      // An HTTP/2 server that receives GOAWAY cuts the connection off, so neither end holds its port.
      if (protocol === "http1") expect(byServer).toBeGreaterThan(80);
    },
  );
});

describe("connections that wait for the server to close them", () => {
  test("are closed when it does not, and hold up no request", async () => {
    const { port, sockets } = await listen(
      createServer((socket) => {
        socket.on("data", () =>
          socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
        );
      }),
    );
    const { http, metric } = startClient(`http://127.0.0.1:${port}`);
    for (let time = 0; time < 20; time++) expect((await http.get("/")).status).toBe(200);
    // Several still wait: had each held up the next request, only the last one could be open.
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(1);
    expect(metric("connections_opened")).toMatchObject({ total: 20 });
    await vi.waitFor(() => expect(sockets.every(({ closed }) => closed)).toBe(true), { timeout: 5000 });
  });

  test("are 256 at most, and none when the run is over", async () => {
    const { port } = await listen(createServer());
    const closing = new ClosingSockets(systemClock);
    const sockets = Array.from({ length: 300 }, () => connect({ port, host: "127.0.0.1" }));
    await Promise.all(sockets.map(async (socket) => once(socket, "connect")));
    for (const socket of sockets) closing.add(socket, socket);
    const open = sockets
      .map(({ destroyed }, index) => (destroyed ? null : index))
      .filter((index) => index !== null);
    expect([open.length, open[0]]).toEqual([256, 44]);
    closing.closeAll();
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });
});
