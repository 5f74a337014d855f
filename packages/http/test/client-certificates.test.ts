import { once } from "node:events";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl } from "./make-certificate.ts";
import { makeAuthority } from "./net/certificate-authority.ts";
import { startClient } from "./start-client.ts";

const authority = hasOpenssl ? makeAuthority() : null;
const own = authority?.issue();
const clients = ["ann", "ben"].map((name) => {
  const { cert = "", key = "" } = authority?.issue({ altName: `DNS:${name}` }) ?? {};
  return { cert, key, passphrase: null };
});

/** Requires a certificate, and responds with its name and whether the session was resumed. HTTP/1.1 and 2. */
async function startDemandingServer(): Promise<string> {
  const sockets: TLSSocket[] = [];
  const server = createSecureServer(
    { ...own, ca: authority?.cert ?? "", requestCert: true, allowHTTP1: true },
    (request, response) => {
      const socket = request.httpVersionMajor === 2 ? request.stream.session?.socket : request.socket;
      const { subjectaltname } = (socket as TLSSocket).getPeerCertificate();
      const isResumed = (socket as TLSSocket).isSessionReused();
      response.end(`${subjectaltname ?? "nobody"}${isResumed ? " again" : ""}`);
    },
  );
  server.on("secureConnection", (socket: TLSSocket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function withClients(http: Partial<ValidatedHttp>): ValidatedHttp {
  return { ...defaultHttp, ...http, tls: { ...defaultHttp.tls, ca: [authority?.cert ?? ""], clients } };
}

describe.skipIf(!hasOpenssl)(
  "client certificates of virtual users (need openssl to make certificates)",
  () => {
    test.each([
      ["http1", "perVu"],
      ["http1", "shared"],
      ["http1", "perRequest"],
      ["http2", "perVu"],
      ["http2", "shared"],
    ] as const)("over %s, connections %s: VUs get one each, in turn", async (protocol, connections) => {
      const url = await startDemandingServer();
      const first = startClient(url, [], [], withClients({ protocol, connections }));
      const others = [first.another(), first.another()];
      const subjects = [];
      for (const { http } of [first, ...others]) subjects.push((await http.get("/")).text());
      expect(subjects.map((text) => text.replace(" again", ""))).toEqual(["DNS:ann", "DNS:ben", "DNS:ann"]);
      // Ben's connection never resumes Ann's session: a resumed session has the certificate that opened it.
      for (const [index, { http }] of [first, ...others].entries())
        expect((await http.get("/")).text()).toContain(index === 1 ? "DNS:ben" : "DNS:ann");
    });
  },
);
