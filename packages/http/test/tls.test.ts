import { once } from "node:events";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedTls } from "@bearhug/plan/http-options/tls";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate } from "./make-certificate.ts";
import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";
import { testedTransport } from "./tested-transport.ts";

const trusted = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : null;
const wrongHost = hasOpenssl ? makeCertificate("DNS:elsewhere.example") : null;
const expired = hasOpenssl ? makeCertificate("IP:127.0.0.1", true) : null;
const authorities = [trusted, wrongHost, expired].flatMap((certificate) => certificate?.cert ?? []);

/** Returns options of `http` that trust the issuers of this file's certificates. */
function trusting(tls: Partial<ValidatedTls> = {}, http: Partial<ValidatedHttp> = {}): ValidatedHttp {
  return { ...defaultHttp, ...http, tls: { ...defaultHttp.tls, ca: authorities, ...tls } };
}

async function startTls(options: ServerOptions | null) {
  const sockets: Socket[] = [];
  const resumed: boolean[] = [];
  const server = createServer({ ...options }, (_request, response) => {
    response.end("x".repeat(5000));
  });
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.on("secureConnection", (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, byName: `https://localhost:${port}`, sockets, resumed };
}

describe.skipIf(!hasOpenssl)("TLS (needs openssl to make certificates)", () => {
  test("handshakes on the first request alone, and counts the bytes on the wire", async () => {
    const server = await startTls(trusted);
    const { http, metric } = startClient(server.url, [], [], trusting());
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
    const { http } = startClient(server.byName, [], [], trusting());
    expect((await http.get("/")).status).toBe(200);
  });

  test.each([
    {
      what: "is self-signed",
      code: "TLS_CERT_SELF_SIGNED",
      certificate: () => makeCertificate("IP:127.0.0.1"),
    },
    { what: "is for another host", code: "TLS_CERT_WRONG_HOST", certificate: () => wrongHost },
    { what: "has expired", code: "TLS_CERT_EXPIRED", certificate: () => expired },
  ])("refuses a certificate that $what: $code, no latency, nothing sent", async ({ code, certificate }) => {
    const server = await startTls(certificate());
    const { http, row, metric } = startClient(server.url, [], [], trusting());
    const response = await http.get("/", { timeout: "5s" });
    expect(response).toMatchObject({ status: 0, error: { code, phase: "tlsHandshaking" } });
    expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(metric("http_req_duration")).toBeUndefined();
  });

  test("insecureSkipTlsVerify accepts a self-signed, expired certificate for another host", async () => {
    const server = await startTls(makeCertificate("DNS:elsewhere.example", true));
    const { http } = startClient(server.url, [], [], trusting({ insecureSkipTlsVerify: true }));
    expect((await http.get("/")).status).toBe(200);
  });

  test.each(["1.2", "1.3"] as const)(
    "a server with TLS %s refuses a client without the required certificate, and accepts one with it",
    async (version) => {
      const options = { ...trusted, requestCert: true, rejectUnauthorized: true, ca: authorities };
      const server = await startTls(options);
      const { http, row } = startClient(server.url, [], [], trusting({ maxVersion: version }));
      const response = await http.get("/", { timeout: "5s" });
      // TLS 1.3 reports it after the handshake, when undici has seen the connection end and reads no more.
      const isSilent = testedTransport === "undici" && version === "1.3";
      const code = isSilent ? "CONNECTION_CLOSED" : "TLS_CLIENT_CERT_REQUIRED";
      expect(response).toMatchObject({ status: 0, error: { code } });
      if (!isSilent)
        expect(response.error?.message).toMatch(/requires a client certificate, or rejected this one/);
      expect(response.error?.message).not.toMatch(/error:|SSL routines/);
      expect(row("GET /")).toMatchObject({ started: 1, failed: 1 });
      const known = startClient(server.url, [], [], trusting({ maxVersion: version, ...trusted }));
      expect((await known.http.get("/")).status).toBe(200);
    },
  );

  test("a visitor resumes its own sessions, unless resumeSessions is off", async () => {
    const server = await startTls(trusted);
    const resumptions = async (resumeSessions: boolean) => {
      const options = trusting({ resumeSessions }, { connections: "perRequest" });
      const { http, another } = startClient(server.url, [], [], options);
      for (const visitor of [http, http, another().http]) await visitor.get("/");
      return server.resumed.splice(0);
    };
    expect(await resumptions(true)).toEqual([false, true, false]);
    expect(await resumptions(false)).toEqual([false, false, false]);
  });
});

test("TLS to a server that does not speak it is TLS_NOT_SPOKEN", async () => {
  const server = await startServer((_request, response) => void response.end());
  const { http, row } = startClient(server.url.replace("http:", "https:"));
  const response = await http.get("/", { timeout: "5s" });
  expect(response.error).toMatchObject({ code: "TLS_NOT_SPOKEN", phase: "tlsHandshaking" });
  expect(row("GET /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
});
