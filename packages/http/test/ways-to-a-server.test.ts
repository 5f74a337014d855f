import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { connect, createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { temporaryFolder } from "../../cli/test/end-to-end/run-bearhug.ts";
import { makeAuthority } from "./net/certificate-authority.ts";
import { hasOpenssl } from "./make-certificate.ts";
import { startClient } from "./start-client.ts";

const authority = hasOpenssl ? makeAuthority() : null;
const certificate = authority?.issue({ altName: "DNS:shop.example,DNS:other.example,IP:127.0.0.1,IP:::1" });
const ann = authority?.issue({ altName: "DNS:ann" });

interface Seen {
  readonly host: string;
  readonly serverName: string;
  readonly client: string;
  readonly family: string;
  readonly bytes: number;
}

async function listen(
  server: Server,
  where: { path: string } | { host: string; port: number },
): Promise<number> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(where);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "string" || address === null ? 0 : address.port;
}

/** Responds, over HTTP/1.1 or HTTP/2 with TLS, with what it sees of the client and its certificate. */
async function startWitness(where: { path: string } | { host: string; port: number }): Promise<number> {
  const server = createSecureServer(
    {
      ...certificate,
      ca: authority?.cert ?? "",
      requestCert: true,
      rejectUnauthorized: false,
      allowHTTP1: true,
    },
    (request, response) => {
      const session = request.httpVersionMajor === 2 ? request.stream.session?.socket : request.socket;
      const socket = session as TLSSocket & { readonly servername: string | false };
      let bytes = 0;
      request.on("data", (piece: Buffer) => (bytes += piece.length));
      request.on("end", () => {
        const seen: Seen = {
          host: request.headers[":authority"] ?? request.headers.host ?? "",
          serverName: socket.servername === false ? "" : socket.servername,
          client: socket.getPeerCertificate().subjectaltname ?? "",
          family: socket.remoteFamily ?? "",
          bytes,
        };
        response.end(JSON.stringify(seen));
      });
    },
  );
  return listen(server, where);
}

/** Starts a proxy that opens every tunnel to one port, and records the request lines. */
async function startProxy(to: number): Promise<{ readonly url: string; readonly requestLines: string[] }> {
  const requestLines: string[] = [];
  const server = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (head: Buffer) => {
      requestLines.push(head.toString("latin1").split("\r\n")[0] ?? "");
      const target = connect({ host: "127.0.0.1", port: to }, () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(target).pipe(client);
      });
      target.on("error", () => client.destroy());
      client.on("close", () => target.destroy());
    });
  });
  return { url: `http://127.0.0.1:${await listen(server, { host: "127.0.0.1", port: 0 })}`, requestLines };
}

const loopback = { host: "127.0.0.1", port: 0 };
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === "::1"),
);

const rows = ["bearhug", "undici"].flatMap((transport) =>
  ["http1", "http2"].map(
    (protocol) => ({ transport, protocol }) as Pick<ValidatedHttp, "transport" | "protocol">,
  ),
);

describe.skipIf(!hasOpenssl)("over TLS (needs openssl to make certificates)", () => {
  describe.each(rows)("with $transport over $protocol", (client) => {
    const options = (
      changes: Partial<ValidatedHttp> = {},
      tls: Partial<ValidatedHttp["tls"]> = {},
    ): ValidatedHttp => ({
      ...defaultHttp,
      ...client,
      tls: { ...defaultHttp.tls, ca: [authority?.cert ?? ""], ...tls },
      ...changes,
    });
    /** Sends a POST twice over one connection, and returns what the server saw of the second. */
    const visit = async (
      url: string,
      http: ValidatedHttp,
      headers: Record<string, string> = {},
    ): Promise<Seen> => {
      const started = startClient(url, [], [], http);
      const post = () => started.http.post("/", { body: new Uint8Array(200_000), headers, name: "visit" });
      const [first, second] = [await post(), await post()];
      expect([first.error, second.error]).toEqual([null, null]);
      expect(started.metric("connections_opened")).toMatchObject({ total: 1 });
      expect(started.row("visit")).toMatchObject({ started: 2, sent: 2, succeeded: 2 });
      return second.json<Seen>();
    };

    test("a host that `hosts` maps elsewhere keeps its name in the host header and SNI", async () => {
      const port = await startWitness(loopback);
      const seen = await visit(
        `https://shop.example:${port}`,
        options({ hosts: { "shop.example": ["127.0.0.1"] } }),
      );
      expect(seen).toMatchObject({
        host: `shop.example:${port}`,
        serverName: "shop.example",
        bytes: 200_000,
      });
    });

    test("a host header is sent as it is, and SNI and certificate are those of the URL", async () => {
      const port = await startWitness(loopback);
      const http = options({ hosts: { "shop.example": ["127.0.0.1"] } });
      const seen = await visit(`https://shop.example:${port}`, http, { host: "virtual.example" });
      expect(seen).toMatchObject({ host: "virtual.example", serverName: "shop.example" });
    });

    test("serverName is sent and verified in place of the host", async () => {
      const port = await startWitness(loopback);
      const seen = await visit(`https://127.0.0.1:${port}`, options({}, { serverName: "other.example" }));
      expect(seen).toMatchObject({ host: `127.0.0.1:${port}`, serverName: "other.example" });
    });

    test("a client certificate is presented", async () => {
      const port = await startWitness(loopback);
      const { cert = "", key = "" } = ann ?? {};
      expect(await visit(`https://127.0.0.1:${port}`, options({}, { cert, key }))).toMatchObject({
        client: "DNS:ann",
      });
    });

    test("requests go through a Unix socket", async () => {
      const path = join(temporaryFolder(), "server.sock");
      await startWitness({ path });
      const seen = await visit("https://shop.example", options({ unixSocket: path }));
      expect(seen).toMatchObject({
        host: "shop.example",
        serverName: "shop.example",
        family: "",
        bytes: 200_000,
      });
    });

    test.skipIf(!hasIpv6)("requests go to an IPv6 address", async () => {
      const port = await startWitness({ host: "::1", port: 0 });
      const seen = await visit(`https://[::1]:${port}`, options());
      expect(seen).toMatchObject({ host: `[::1]:${port}`, serverName: "", family: "IPv6" });
    });

    test("requests go through a proxy's tunnel", async () => {
      const proxy = await startProxy(await startWitness(loopback));
      const seen = await visit("https://shop.example", options({ proxy: proxy.url }));
      expect(seen).toMatchObject({ host: "shop.example", serverName: "shop.example", bytes: 200_000 });
      expect(proxy.requestLines).toEqual(["CONNECT shop.example:443 HTTP/1.1"]);
    });
  });
});
