import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate, type Certificate } from "./make-certificate.ts";
import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** Before the first connection: the engine makes one secure context for all. */
const trusted = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : null;
const wrongHost = hasOpenssl ? makeCertificate("DNS:elsewhere.example") : null;
const expired = hasOpenssl ? makeCertificate("IP:127.0.0.1", true) : null;
if (trusted !== null && wrongHost !== null && expired !== null) {
  setDefaultCACertificates([...getCACertificates(), trusted.cert, wrongHost.cert, expired.cert]);
}

async function startTls(certificate: Certificate | null) {
  const sockets: Socket[] = [];
  const server = createServer({ ...certificate }, (_request, response) => {
    response.end("x".repeat(5000));
  });
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, byName: `https://localhost:${port}`, sockets };
}

describe.skipIf(!hasOpenssl)("TLS (needs openssl to make certificates)", () => {
  test("shakes hands on the first request alone, and counts the bytes of the wire", async () => {
    const server = await startTls(trusted);
    const { http, metric } = startClient(server.url);
    const first = await http.get("/");
    expect(first).toMatchObject({ status: 200, error: null });
    expect(first.text()).toBe("x".repeat(5000));
    const { blocked, connecting, tlsHandshaking } = first.timings;
    expect(tlsHandshaking).toBeGreaterThan(0);
    expect(blocked).toBeGreaterThanOrEqual(connecting + tlsHandshaking);
    const second = await http.get("/");
    expect(second.timings).toMatchObject({ connecting: 0, tlsHandshaking: 0 });
    expect(server.sockets).toHaveLength(1);
    const [socket] = server.sockets;
    expect(first.size.sent + second.size.sent).toBe(socket?.bytesRead);
    expect(first.size.received + second.size.received).toBe(socket?.bytesWritten);
    expect(second.size.received).toBeGreaterThan(5000);
    expect(metric("connections_opened")).toMatchObject({ total: 1 });
  });

  test("checks a name as well as an address", async () => {
    const server = await startTls(trusted);
    const { http } = startClient(server.byName);
    expect((await http.get("/")).status).toBe(200);
  });

  test.each([
    {
      what: "nobody vouches for",
      code: "TLS_CERT_SELF_SIGNED",
      certificate: () => makeCertificate("IP:127.0.0.1"),
    },
    { what: "is for another host", code: "TLS_CERT_WRONG_HOST", certificate: () => wrongHost },
    { what: "has expired", code: "TLS_CERT_EXPIRED", certificate: () => expired },
  ])("refuses a certificate that $what: $code, no latency, nothing sent", async ({ code, certificate }) => {
    const server = await startTls(certificate());
    const { http, row, metric } = startClient(server.url);
    const response = await http.get("/", { timeout: "5s" });
    expect(response).toMatchObject({ status: 0, error: { code, phase: "tlsHandshaking" } });
    expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(metric("http_req_duration")).toBeUndefined();
  });
});

test("TLS with a server that speaks none is TLS_FAILED", async () => {
  const server = await startServer((_request, response) => void response.end());
  const { http, row } = startClient(server.url.replace("http:", "https:"));
  const response = await http.get("/", { timeout: "5s" });
  expect(response.error).toMatchObject({ code: "TLS_FAILED", phase: "tlsHandshaking" });
  expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
});
