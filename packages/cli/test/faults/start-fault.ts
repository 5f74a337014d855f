import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

import type { HttpOptions } from "@bearhug/sdk";
import { onTestFinished } from "vitest";

import { startNameServer } from "../../../http/test/net/start-name-server.ts";
import { makeCertificate, type Certificate } from "../../../http/test/make-certificate.ts";
import { closedPort } from "../../../http/test/servers.ts";
import type { FaultRow, Reach } from "./fault-row.ts";
import { startMisbehaving, type MisbehavingServer } from "./misbehaving-server.ts";
import { healthy, type ServerScript } from "./server-script.ts";

/** A fault that is ready for a request. */
export interface StartedFault {
  readonly baseUrl: string;
  /** The options with which the client reaches the fault. */
  readonly http: HttpOptions;
  readonly server: MisbehavingServer | null;
}

/** Starts the fault of a row; it ends with the test. */
export async function startFault(
  { reach = { by: "address" }, http = {} }: FaultRow,
  script: ServerScript = [healthy],
): Promise<StartedFault> {
  switch (reach.by) {
    case "closedPort":
      return { baseUrl: await closedPort(), http, server: null };
    case "fullBacklog":
      return { baseUrl: await fullBacklog(), http, server: null };
    case "name": {
      const { address } = await startNameServer(() => reach.answer);
      const dns = { servers: [address], policy: "onlyIPv4" as const };
      return { baseUrl: "http://shop.example", http: { ...http, dns }, server: null };
    }
    case "tls":
      return startTls(reach.certificate, http, script);
    case "proxy": {
      const server = await startMisbehaving(script);
      return { baseUrl: reach.target, http: { ...http, proxy: server.url }, server };
    }
    case "address": {
      const server = await startMisbehaving(script);
      return { baseUrl: server.url, http, server };
    }
  }
}

type CertificateKind = Extract<Reach, { by: "tls" }>["certificate"];

const certificates = new Map<CertificateKind, Certificate>();

function certificateOf(kind: CertificateKind): Certificate {
  const name = kind === "wrongHost" ? "DNS:elsewhere.example" : "IP:127.0.0.1";
  const certificate = certificates.get(kind) ?? makeCertificate(name, kind === "expired");
  certificates.set(kind, certificate);
  return certificate;
}

async function startTls(
  kind: CertificateKind,
  http: HttpOptions,
  script: ServerScript,
): Promise<StartedFault> {
  const certificate = certificateOf(kind);
  const server = await startMisbehaving(script, certificate);
  const tls = kind === "selfSigned" ? {} : { ca: certificate.cert };
  return { baseUrl: server.url, http: { ...http, tls }, server };
}

/** A script that listens, prints its port, and never accepts a connection. */
const neverAccepts = `
const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  require("node:fs").writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
});`;

async function fullBacklog(): Promise<string> {
  const child = spawn(process.execPath, ["-e", neverAccepts], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const fillers = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port.toString()), "127.0.0.1");
    return socket.on("error", () => {});
  });
  onTestFinished(async () => {
    for (const socket of fillers) socket.destroy();
    child.kill("SIGKILL");
    await once(child, "close");
  });
  await once(fillers[0]!, "connect");
  return `http://127.0.0.1:${port.toString()}`;
}
