import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";

import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { makeAuthority } from "../../../http/test/net/certificate-authority.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runBearhug, temporaryFolder, writeTest, type Reported } from "./run-bearhug.ts";

interface SecureServer {
  readonly port: number;
  readonly certificate: string;
  readonly requests: () => number;
  readonly connections: () => number;
}

/** Starts a server with its own certificate, for one name. */
async function startSecureServer(subjectAltName: string): Promise<SecureServer> {
  const { key, cert } = makeCertificate(subjectAltName);
  const certificate = `${temporaryFolder()}/cert.pem`;
  writeFileSync(certificate, cert);
  let requests = 0;
  let connections = 0;
  const server = createServer({ key, cert }, (_request, response) => {
    requests++;
    response.end("hello\n");
  });
  server.on("secureConnection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { port, certificate, requests: () => requests, connections: () => connections };
}

async function benchSecurely(url: string, environment: Record<string, string>): Promise<Reported> {
  const path = `${temporaryFolder()}/result.json`;
  const ended = await runBearhug(
    [url, "-n", "40", "-c", "4", "--out", `json=${path}`],
    undefined,
    environment,
  );
  return { ...ended, result: readResult(path, ended) };
}

describe.skipIf(!hasOpenssl)("HTTPS (needs openssl)", () => {
  test("a one-liner presents a client certificate, as curl does: PEM or PKCS #12", async () => {
    const folder = temporaryFolder();
    const authority = makeAuthority();
    const [own, client] = [authority.issue(), authority.issue({ altName: "DNS:ann" })];
    writeFileSync(join(folder, "ca.pem"), authority.cert);
    writeFileSync(join(folder, "client.pem"), client.cert);
    writeFileSync(join(folder, "client-key.pem"), client.key);
    const pfx = ["pkcs12", "-export", "-in", "client.pem", "-inkey", "client-key.pem", "-out", "client.p12"];
    execFileSync("openssl", [...pfx, "-passout", "pass:swordfish"], { cwd: folder });
    const names = new Set<string | undefined>();
    const server = createServer({ ...own, ca: authority.cert, requestCert: true }, (request, response) => {
      const { socket } = request;
      if (socket instanceof TLSSocket) names.add(socket.getPeerCertificate().subjectaltname);
      response.end("hello");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const line = [`https://127.0.0.1:${(server.address() as AddressInfo).port}/`, "-n", "4", "-c", "2"];
    for (const certificate of [
      ["--cert", "client.pem", "--key", "client-key.pem", "--cacert", "ca.pem"],
      ["-E", "client.p12", "--pass", "swordfish", "--ca", "ca.pem"],
    ]) {
      const { exitCode, stdout, stderr } = await runBearhug([...line, ...certificate], folder);
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).not.toContain("swordfish");
      expect([...names]).toEqual(["DNS:ann"]);
      names.clear();
    }
  });

  test("requests go over TLS, and only a connection's first one pays for the handshake", async () => {
    const server = await startSecureServer("DNS:localhost");
    const url = `https://localhost:${server.port}/`;
    const { exitCode, result } = await benchSecurely(url, { NODE_EXTRA_CA_CERTS: server.certificate });
    expect(exitCode).toBe(0);
    expect(server.requests()).toBe(40);
    expect(server.connections()).toBe(4);
    const handshakes = result.metrics["http_req_tls_handshaking"];
    if (handshakes?.type !== "trend") throw new Error("no TLS phase");
    expect(handshakes.values.count).toBe(40);
    expect(handshakes.values.max).toBeGreaterThan(0);
    expect(handshakes.values["p(95)"]).toBeGreaterThan(0);
    expect(handshakes.values.med).toBe(0);
    expectBalanced(result);
  });

  test.for([
    {
      name: "an untrusted certificate",
      subject: "DNS:localhost",
      isTrusted: false,
      code: "TLS_CERT_SELF_SIGNED",
    },
    {
      name: "a certificate for another host",
      subject: "DNS:other.example",
      isTrusted: true,
      code: "TLS_CERT_WRONG_HOST",
    },
  ])("$name is refused with its code, and is no latency sample", async ({ subject, isTrusted, code }) => {
    const server = await startSecureServer(subject);
    const environment = isTrusted ? { NODE_EXTRA_CA_CERTS: server.certificate } : {};
    const { exitCode, result } = await benchSecurely(`https://localhost:${server.port}/`, environment);
    expect(exitCode).toBe(99);
    expect(server.requests()).toBe(0);
    expect(result.errors).toMatchObject([{ code, count: 40 }]);
    expect(result.metrics["http_req_duration"]).toBeUndefined();
    expectBalanced(result);
  });
});

test.each([
  ["https://127.0.0.1:1", true],
  ["http://127.0.0.1:1", false],
])("with the base URL %s, TLS is loaded before the load begins: %s", async (baseUrl, isLoaded) => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${baseUrl}", scenarios: { s: {
  executor: "shared-iterations", vus: 1, iterations: 1, expectNoRequests: true,
  exec: () => console.log("TLS: " + process.moduleLoadList.includes("NativeModule tls")),
} } });`);
  const { exitCode, stdout, stderr } = await runBearhug(["run", file, "--workers", "1"]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout + stderr).toContain(`TLS: ${isLoaded}`);
});
