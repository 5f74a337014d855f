import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";

import type { Timings } from "@bearhug/sdk";
import { defaultHttp, type ValidatedHttp } from "@bearhug/sdk/internal";
import { expect, onTestFinished, test } from "vitest";

import { startNameServer } from "../net/start-name-server.ts";
import { startProxy } from "../net/start-proxy.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";
import { delaysMs, exactly, expectDelays, type Sample } from "./expect-delays.ts";
import { startFullServer } from "./full-backlog.ts";
import { startRelay } from "./start-relay.ts";

function client(url: string | null, http: Partial<ValidatedHttp>, hosts: readonly string[] = []): TestClient {
  return startClient(url, hosts, [], { ...defaultHttp, ...http });
}

/** One of a visitor that was not here before: its connection is not open. */
async function visit({ another }: TestClient, url: string): Promise<Timings> {
  const { error, timings } = await another().http.get(url);
  expect(error).toBeNull();
  return timings;
}

async function startTls(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer(makeCertificate("IP:127.0.0.1"), (_request, response) => response.end("ok"));
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const trusting = { tls: { ...defaultHttp.tls, insecureSkipTlsVerify: true } };

/** Samples of visits by way of relays that hold what is said first, one for each delay. */
async function throughRelays(
  port: number,
  visitor: (host: string) => TestClient,
  phase: "connecting" | "tlsHandshaking",
) {
  const relays = await Promise.all(
    delaysMs.map(async (delayMs) => {
      const { host, heldMs } = await startRelay(port, delayMs);
      return [delayMs, { visitor: visitor(host), heldMs }] as const;
    }),
  );
  const byDelay = new Map(relays);
  return async (delayMs: number): Promise<Sample> => {
    const { visitor, heldMs } = byDelay.get(delayMs)!;
    const timings = await visit(visitor, "/");
    return { timings, wanted: { [phase]: exactly(heldMs.at(-1)) } };
  };
}

test("a name server that is slow is in lookingUp", async () => {
  const server = await startServer((_request, response) => void response.end("ok"));
  const [, port = ""] = server.host.split(":");
  const mostSamples = 16;
  const sampleOf = new Map<number, () => Promise<Sample>>();
  for (const delayMs of delaysMs) {
    const nameServer = await startNameServer(
      () => ["127.0.0.1"],
      () => delayMs,
    );
    // Each visit asks for a name of its own: what was answered once is known.
    const names = Array.from({ length: mostSamples }, (_, index) => `n${index}.example`);
    const asking = client(null, { dns: { ...defaultHttp.dns, servers: [nameServer.address] } }, names);
    sampleOf.set(delayMs, async () => {
      const timings = await visit(asking, `http://${names.pop() ?? ""}:${port}/`);
      return { timings, wanted: { lookingUp: exactly(nameServer.tookMs.at(-1)) } };
    });
  }
  await expectDelays((delayMs) => sampleOf.get(delayMs)!());
});

test.skipIf(process.platform !== "linux")(
  "a server that lets nobody in is in connecting, until its system does",
  async () => {
    const letInAfterMs = 300;
    await expectDelays(async () => {
      const { url, host, letIn } = await startFullServer();
      const visiting = client(null, {}, [host]);
      const timer = setTimeout(letIn, letInAfterMs);
      onTestFinished(() => clearTimeout(timer));
      const calledAt = process.hrtime.bigint();
      const response = await visiting.http.get(url);
      // By the server's account: when the system sent its SYN again is not ours to know.
      const acceptedMs = Number(BigInt(response.text()) - calledAt) / 1e6;
      expect(acceptedMs).toBeGreaterThan(letInAfterMs);
      return { timings: response.timings, wanted: { connecting: exactly(acceptedMs) } };
    }, [1000]);
  },
);

test.skipIf(!hasOpenssl)("a proxy that is slow to open a tunnel is in connecting", async () => {
  const [port, proxy] = [await startTls(), await startProxy()];
  const proxyPort = Number(new URL(proxy.url).port);
  const visitor = (host: string): TestClient =>
    client(`https://127.0.0.1:${port}`, { ...trusting, proxy: `http://${host}` });
  await expectDelays(await throughRelays(proxyPort, visitor, "connecting"));
});

test.skipIf(!hasOpenssl)("TLS whose first words are held back is in tlsHandshaking", async () => {
  const visitor = (host: string): TestClient => client(`https://${host}`, trusting);
  await expectDelays(await throughRelays(await startTls(), visitor, "tlsHandshaking"));
});
