import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedTls } from "@bearhug/plan/http-options/tls";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { startProxy } from "./net/start-proxy.ts";
import { startHttp2Server } from "./http2/http2-server.ts";
import { hasOpenssl, makeCertificate } from "./make-certificate.ts";
import { closedPort, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

const certificate = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : null;

function insecure(tls: Partial<ValidatedTls> = {}, http: Partial<ValidatedHttp> = {}): ValidatedHttp {
  return { ...defaultHttp, ...http, tls: { ...defaultHttp.tls, insecureSkipTlsVerify: true, ...tls } };
}

async function listen(
  server: Server,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
) {
  server.listen(where);
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

async function startHttps() {
  const server = createHttpsServer({ ...certificate }, (_request, response) => response.end("hi"));
  await listen(server, { host: "127.0.0.1", port: 0 });
  return (server.address() as AddressInfo).port;
}

test("a response has the address of its server, and whether its connection was reused", async () => {
  const server = await startServer((_request, response) => void response.end("hi"));
  const { http } = startClient("http://shop.example", [], [], {
    ...defaultHttp,
    hosts: { "shop.example": [server.host] },
  });
  const port = Number(server.host.split(":")[1]);
  const first = await http.get("/");
  expect(first.connection).toEqual({
    remoteAddress: "127.0.0.1",
    remotePort: port,
    isReused: false,
    tls: null,
  });
  expect((await http.get("/")).connection).toEqual({ ...first.connection, isReused: true });
});

test("a response keeps the facts of its connection after that has closed", async () => {
  const server = await startServer((_request, response) => void response.end("hi"));
  const { http } = startClient(server.url, [], [], { ...defaultHttp, connections: "perRequest" });
  const response = await http.get("/");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(response.connection).toMatchObject({ remoteAddress: "127.0.0.1", isReused: false });
});

test("a failed response has the facts of its connection, unless none opened", async () => {
  const refused = startClient(await closedPort());
  expect((await refused.http.get("/")).connection).toBeNull();
  const server = await startServer((request) => void request.socket.destroy());
  const { connection, error } = await startClient(server.url).http.get("/");
  expect(error?.code).toBe("CONNECTION_CLOSED");
  expect(connection?.remoteAddress).toBe("127.0.0.1");
});

test("a response from the browser's cache has no connection, or the one that revalidated it", async () => {
  const server = await startServer((request, response) => {
    response.setHeader("etag", '"1"');
    response.setHeader("cache-control", request.url === "/fresh" ? "max-age=60" : "no-cache");
    response.writeHead(request.headers["if-none-match"] === undefined ? 200 : 304).end();
  });
  const { http } = startClient(server.url, [], [], { ...defaultHttp, cache: "browser" });
  for (const path of ["/fresh", "/stale"]) await http.get(path);
  expect(await http.get("/fresh")).toMatchObject({ fromCache: true, connection: null });
  expect(await http.get("/stale")).toMatchObject({ fromCache: true, connection: { isReused: true } });
});

test("through a unix socket there is no address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-socket-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "s");
  await listen(
    createHttpServer((_request, response) => response.end()),
    { path },
  );
  const { http } = startClient("http://shop.example", [], [], { ...defaultHttp, unixSocket: path });
  expect((await http.get("/")).connection).toMatchObject({ remoteAddress: null, remotePort: null });
});

describe.skipIf(certificate === null)("over TLS (needs openssl to make certificates)", () => {
  test.each([
    { maxVersion: "1.2" as const, ciphers: "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256" },
    { minVersion: "1.3" as const, ciphers: "TLS_AES_256_GCM_SHA384" },
  ])("a response has the negotiated version and cipher: %j", async (tls) => {
    const port = await startHttps();
    const { http } = startClient(`https://127.0.0.1:${port}`, [], [], insecure(tls));
    const { connection } = await http.get("/");
    expect(connection?.tls?.version).toBe(tls.maxVersion ?? tls.minVersion);
    expect(tls.ciphers.split(":")).toContain(connection?.tls?.cipher);
  });

  test("each response of an HTTP/2 connection has its facts", async () => {
    const { port } = await startHttp2Server((response) => response.end("hi"), certificate!);
    const { http } = startClient(`https://127.0.0.1:${port}`, [], [], insecure());
    const responses = [await http.get("/"), ...(await http.batch(["/", "/"]))];
    expect(responses.map(({ protocol, connection }) => [protocol, connection?.isReused])).toEqual([
      ["HTTP/2", false],
      ["HTTP/2", true],
      ["HTTP/2", true],
    ]);
    expect(responses[2]?.connection).toMatchObject({ remotePort: port, tls: { version: "1.3" } });
  });

  test("through a proxy, the address is the proxy's and the TLS version the target's", async () => {
    const [port, proxy] = [await startHttps(), await startProxy()];
    const { http } = startClient(`https://127.0.0.1:${port}`, [], [], insecure({}, { proxy: proxy.url }));
    const { connection } = await http.get("/");
    expect(connection).toMatchObject({
      remoteAddress: "127.0.0.1",
      remotePort: Number(new URL(proxy.url).port),
      tls: { version: "1.3" },
    });
  });
});
