import { once } from "node:events";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import { defaultHttp, mergeHttp } from "@bearhug/plan/http-options/option-table";
import { readHttpOptions } from "@bearhug/plan/http-options/read-http";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { startSocksProxy } from "./net/start-socks-proxy.ts";
import { startHttp2Server } from "./http2/http2-server.ts";
import { hasOpenssl, makeCertificate } from "./make-certificate.ts";
import { closedPort, startServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";

const certificate = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : null;

function through(baseUrl: string, http: Partial<ValidatedHttp>): TestClient {
  return startClient(baseUrl, [], [], {
    ...defaultHttp,
    tls: { ...defaultHttp.tls, ca: [certificate?.cert ?? ""] },
    ...http,
  });
}

async function startTarget() {
  const server = await startServer((request, response) => void response.end(request.headers.host));
  return { ...server, port: Number(new URL(server.url).port) };
}

async function startSecureTarget(): Promise<number> {
  const server = createHttpsServer({ ...certificate }, (_request, response) => response.end("secure"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that is reached over TLS, and records the first line that each client writes. */
async function startHttpsProxy() {
  const lines: string[] = [];
  const sockets: Socket[] = [];
  const server = createTlsServer({ ...certificate }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", (chunk: Buffer) => {
      const [line = ""] = String(chunk).split("\r\n");
      lines.push(line);
      const [, port = ""] = /^\w+ (?:http:\/\/)?[^/\s]+?:(\d+)/.exec(line) ?? [];
      const target = connect({ host: "127.0.0.1", port: Number(port) });
      target.on("error", () => socket.destroy());
      if (line.startsWith("CONNECT")) socket.write("HTTP/1.1 200 OK\r\n\r\n");
      else target.write(chunk);
      socket.pipe(target).pipe(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { lines, url: `https://localhost:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(!hasOpenssl)("an HTTPS proxy (needs openssl to make certificates)", () => {
  test("forwards plain requests, and tunnels TLS within TLS", async () => {
    const proxy = await startHttpsProxy();
    const [plain, secure] = [await startTarget(), await startSecureTarget()];
    const forwarded = await through(plain.url, { proxy: proxy.url }).http.get("/x");
    expect([forwarded.error, forwarded.text()]).toEqual([null, plain.host]);
    expect(forwarded.connection?.tls).toBeNull();
    const { http } = through(`https://localhost:${secure}`, { proxy: proxy.url });
    const tunnelled = await http.get("/y");
    expect([tunnelled.error, tunnelled.text()]).toEqual([null, "secure"]);
    expect(tunnelled.connection?.tls?.version).toBe("1.3");
    expect((await http.get("/z")).connection?.isReused).toBe(true);
    expect(proxy.lines).toEqual([`GET ${plain.url}/x HTTP/1.1`, `CONNECT localhost:${secure} HTTP/1.1`]);
  });

  test("carries HTTP/2", async () => {
    const proxy = await startHttpsProxy();
    const target = await startHttp2Server((response) => void response.end("two"));
    const { http } = through(`http://127.0.0.1:${target.port}`, { proxy: proxy.url, protocol: "h2c" });
    const response = await http.get("/");
    expect([response.error, response.protocol, response.text()]).toEqual([null, "HTTP/2", "two"]);
  });

  test("that is not trusted or speaks no TLS is reported as a fault of the proxy", async () => {
    const proxy = await startHttpsProxy();
    const untrusted = await through("http://127.0.0.1:1", {
      proxy: proxy.url,
      tls: defaultHttp.tls,
    }).http.get("/");
    expect(untrusted.error).toMatchObject({
      code: "PROXY_UNREACHABLE",
      cause: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    const plain = await startTarget();
    const address = plain.url.replace("http:", "https:");
    const { error } = await through("http://127.0.0.1:1", { proxy: address }).http.get("/");
    expect(error?.message).toContain(`the proxy ${plain.url.slice("http://".length)}`);
  });
});

describe("a SOCKS5 proxy", () => {
  test("looks up names itself for socks5h, and gets addresses for socks5", async () => {
    const target = await startTarget();
    const proxy = await startSocksProxy();
    const baseUrl = `http://shop.example:${target.port}`;
    const remote = through(baseUrl, { proxy: `socks5h://127.0.0.1:${proxy.port}` });
    expect((await remote.http.get("/")).text()).toBe(`shop.example:${target.port}`);
    const hosts = { "shop.example": ["127.0.0.1"] };
    const local = through(baseUrl, { proxy: `socks5://127.0.0.1:${proxy.port}`, hosts });
    expect((await local.http.get("/")).text()).toBe(`shop.example:${target.port}`);
    expect(proxy.targets).toEqual([`shop.example:${target.port}`, `127.0.0.1:${target.port}`]);
  });

  test("carries HTTP/2 of a server that speaks first", async () => {
    const target = await startHttp2Server((response) => void response.end("two"));
    const proxy = await startSocksProxy();
    const { http } = through(`http://127.0.0.1:${target.port}`, {
      proxy: `socks5h://127.0.0.1:${proxy.port}`,
      protocol: "h2c",
    });
    const response = await http.get("/");
    expect([response.error, response.protocol, response.text()]).toEqual([null, "HTTP/2", "two"]);
  });

  test.skipIf(!hasOpenssl)("carries TLS", async () => {
    const secure = await startSecureTarget();
    const proxy = await startSocksProxy();
    const { http } = through(`https://localhost:${secure}`, { proxy: `socks5h://127.0.0.1:${proxy.port}` });
    expect((await http.get("/")).text()).toBe("secure");
  });

  test("gets the user and password of its URL", async () => {
    const target = await startTarget();
    const proxy = await startSocksProxy({ login: "ann:p@ss" });
    const address = (who: string): string => `socks5h://${who}127.0.0.1:${proxy.port}`;
    expect((await through(target.url, { proxy: address("ann:p%40ss@") }).http.get("/")).status).toBe(200);
    expect(proxy.targets).toEqual([`127.0.0.1:${target.port} as ann:p@ss`]);
    const wrong = await through(target.url, { proxy: address("ann:wrong@") }).http.get("/");
    expect(wrong.error).toMatchObject({ code: "PROXY_AUTH_REQUIRED" });
    expect(wrong.error?.message).toMatch(/the proxy 127\.0\.0\.1:\d+ refused the user and password$/);
    const anonymous = await through(target.url, { proxy: address("") }).http.get("/");
    expect(anonymous.error?.message).toContain("accepts no client without a user and password");
  });

  test("that cannot reach the target, is not SOCKS or does not listen is reported", async () => {
    const target = await startTarget();
    const refusing = await startSocksProxy({ reply: 5 });
    const ask = async (proxy: string) => (await through(target.url, { proxy }).http.get("/")).error;
    expect(await ask(`socks5h://127.0.0.1:${refusing.port}`)).toMatchObject({
      code: "PROXY_REFUSED",
      message: expect.stringContaining("did not connect: connection refused") as string,
    });
    const notSocks = await ask(target.url.replace("http:", "socks5h:"));
    expect(notSocks).toMatchObject({ code: "PROXY_FAILED" });
    const unreachable = await ask((await closedPort()).replace("http:", "socks5:"));
    expect(unreachable).toMatchObject({ code: "PROXY_UNREACHABLE", cause: "ECONNREFUSED" });
  });

  test("gets an IPv6 address as bytes", async () => {
    const proxy = await startSocksProxy({ reply: 4 });
    const { http } = through("http://[2001:db8::7]:8080", { proxy: `socks5h://127.0.0.1:${proxy.port}` });
    expect((await http.get("/")).error?.message).toContain("did not connect: host unreachable");
    expect(proxy.targets).toEqual(["2001:db8:0:0:0:0:0:7:8080"]);
  });
});

test("noProxy: a host goes there directly, others through the proxy", async () => {
  const target = await startTarget();
  const proxy = await startSocksProxy();
  const hosts = { "shop.example": ["127.0.0.1"], "api.shop.example": ["127.0.0.1"] };
  const settings = { proxy: `socks5h://127.0.0.1:${proxy.port}`, noProxy: ["api.shop.example"], hosts };
  const direct = await through(`http://api.shop.example:${target.port}`, settings).http.get("/");
  expect(direct.connection?.remotePort).toBe(target.port);
  const proxied = await through(`http://shop.example:${target.port}`, settings).http.get("/");
  expect(proxied.connection?.remotePort).toBe(proxy.port);
  expect(proxy.targets).toEqual([`shop.example:${target.port}`]);
});

test("proxy and noProxy take the values of variables: without a scheme, with ports and wildcards, or empty", async () => {
  const target = await startTarget();
  const proxy = await startTarget();
  const address = `127.0.0.1:${proxy.port}`;
  const portReached = async (given: Record<"proxy" | "noProxy", string | undefined>): Promise<unknown> => {
    const http = readHttpOptions(given, (_name, problem) => expect.unreachable(problem));
    const response = await through(target.url, mergeHttp(defaultHttp, http)).http.get("/");
    return response.connection?.remotePort;
  };
  expect(await portReached({ proxy: address, noProxy: "*.internal,127.0.0.1:1" })).toBe(proxy.port);
  expect(await portReached({ proxy: address, noProxy: undefined })).toBe(proxy.port);
  expect(await portReached({ proxy: address, noProxy: `x:1,127.0.0.1:${target.port}` })).toBe(target.port);
  expect(await portReached({ proxy: "", noProxy: "" })).toBe(target.port);
});
