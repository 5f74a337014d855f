import { once } from "node:events";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const certificate = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : { key: "", cert: "" };

function options(changes: Partial<ValidatedHttp> = {}): ValidatedHttp {
  return { ...defaultHttp, tls: { ...defaultHttp.tls, ca: [certificate.cert] }, ...changes };
}

/** Starts a server with a protocol for each connection, which is slow enough for requests to overlap. */
async function startServerOf(protocols: (connection: number) => "h2" | "http/1.1") {
  const sockets: TLSSocket[] = [];
  const requestsOf: number[] = [];
  const server = createSecureServer(
    { ...certificate, allowHTTP1: true, ALPNCallback: () => protocols(sockets.length + pending++) },
    (request, response) => {
      const secured = sockets.findIndex(({ remotePort }) => remotePort === request.socket.remotePort);
      requestsOf[secured] = (requestsOf[secured] ?? 0) + 1;
      setTimeout(() => response.end(request.httpVersion), 20);
    },
  );
  let pending = 0;
  server.on("secureConnection", (socket: TLSSocket) => {
    pending--;
    sockets.push(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, sockets, requestsOf };
}

const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/${index}`);

describe.skipIf(!hasOpenssl)("an origin with TLS (needs openssl to make certificates)", () => {
  test("that speaks HTTP/1.1 gets one connection, then up to six", async () => {
    const server = await startServerOf(() => "http/1.1");
    const { http } = startClient(server.url, [], [], options());
    const responses = await http.batch(paths(20));
    expect(responses.map((response) => response.text())).toEqual(Array(20).fill("1.1"));
    expect(server.sockets).toHaveLength(6);
  });

  test("that speaks HTTP/2 gets one connection for all", async () => {
    const server = await startServerOf(() => "h2");
    const { http } = startClient(server.url, [], [], options());
    const responses = await http.batch(paths(50));
    expect(responses.map((response) => response.text())).toEqual(Array(50).fill("2.0"));
    expect(server.requestsOf).toEqual([50]);
  });

  test("that is known to speak HTTP/2 does not get a connection for each request while the first is opening", async () => {
    const server = await startServerOf(() => "h2");
    const client = startClient(server.url, [], [], options({ maxConnections: 20 }));
    await client.http.get("/");
    const responses = await client.another().http.batch(paths(20));
    expect(responses.map((response) => response.text())).toEqual(Array(20).fill("2.0"));
    // Until the server has announced its limit, a connection carries one request: the next may open another.
    expect(server.sockets.length).toBeLessThanOrEqual(3);
  });

  test("may speak another protocol on the next connection", async () => {
    const spoken = ["h2", "http/1.1", "h2"] as const;
    const server = await startServerOf((connection) => spoken[connection] ?? "h2");
    const { http } = startClient(server.url, [], [], options());
    for (const [index, version] of ["2.0", "1.1", "2.0"].entries()) {
      const response = await http.get("/");
      expect(response).toMatchObject({ error: null, status: 200 });
      expect(response.text()).toBe(version);
      server.sockets[index]?.destroy();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  });

  test("gets no more requests on an HTTP/2 connection than it may carry, and none is cut off", async () => {
    const server = await startServerOf(() => "h2");
    const { http } = startClient(server.url, [], [], options({ maxRequestsPerConnection: 5 }));
    const responses = await http.batch(paths(12));
    expect(responses.map(({ status, error }) => [status, error])).toEqual(Array(12).fill([200, null]));
    expect(server.requestsOf).toEqual([5, 5, 2]);
    await eventually(() => {
      expect(server.sockets.map(({ closed }) => closed)).toEqual([true, true, false]);
    });
  });
});

describe("connections", () => {
  test("for each request are used once, with connection: close", async () => {
    const connections: (string | undefined)[] = [];
    const server = await startServer((request, response) => {
      connections.push(request.headers.connection);
      response.end("ok");
    });
    const { http } = startClient(server.url, [], [], options({ connections: "perRequest" }));
    await http.batch(paths(10));
    expect(connections).toEqual(Array(10).fill("close"));
    expect(new Set(server.connectionOf).size).toBe(10);
    await eventually(() => {
      expect(server.sockets.every(({ closed }) => closed)).toBe(true);
    });
  });

  test("are closed after maxRequestsPerConnection requests", async () => {
    const server = await startServer((_request, response) => void response.end("ok"));
    const { http } = startClient(server.url, [], [], options({ maxRequestsPerConnection: 3 }));
    for (let time = 0; time < 7; time++) expect((await http.get("/")).status).toBe(200);
    expect(server.connectionOf).toEqual([0, 0, 0, 1, 1, 1, 2]);
  });

  test("that VUs share are at most six for each VU", async () => {
    let [now, most] = [0, 0];
    const server = await startServer((_request, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.end("ok");
      }, 20);
    });
    const shared = startClient(server.url, [], [], options({ connections: "shared" }));
    await shared.http.batch(paths(20));
    expect([server.sockets.length, most]).toEqual([6, 6]);
    await Promise.all([shared.http.batch(paths(20)), shared.another().http.batch(paths(20))]);
    expect([server.sockets.length, most]).toEqual([12, 12]);
  });

  test("that VUs share are no more than maxConnections", async () => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end("ok"), 5));
    const few = options({ connections: "shared", maxConnections: 2 });
    const client = startClient(server.url, [], [], few);
    const batches = Array.from({ length: 10 }, async () => client.another().http.batch(paths(5)));
    const responses = (await Promise.all(batches)).flat();
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(server.sockets).toHaveLength(2);
  });
});
