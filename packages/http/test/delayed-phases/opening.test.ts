import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Timings } from "@bearhug/sdk";
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

/** Sends a request as a new visitor, whose connection is not open yet. */
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

/** Returns a sampler of visits through relays that hold the first bytes; each delay has its relay. */
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

test("the time of a slow name server counts as lookingUp", async () => {
  const server = await startServer((_request, response) => void response.end("ok"));
  const [, port = ""] = server.host.split(":");
  const mostSamples = 16;
  const sampleOf = new Map<number, () => Promise<Sample>>();
  for (const delayMs of delaysMs) {
    const nameServer = await startNameServer(
      () => ["127.0.0.1"],
      () => delayMs,
    );
    // Each visit looks up its own name, as known names are cached.
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
  "the time until a server with a full backlog accepts counts as connecting",
  async () => {
    const acceptAfterMs = 300;
    await expectDelays(async () => {
      const { url, host, acceptAll } = await startFullServer();
      const visiting = client(null, {}, [host]);
      const timer = setTimeout(acceptAll, acceptAfterMs);
      onTestFinished(() => clearTimeout(timer));
      const calledAt = process.hrtime.bigint();
      const response = await visiting.http.get(url);
      // By the server's account: the client cannot know when its system sent the SYN again.
      const acceptedMs = Number(BigInt(response.text()) - calledAt) / 1e6;
      expect(acceptedMs).toBeGreaterThan(acceptAfterMs);
      return { timings: response.timings, wanted: { connecting: exactly(acceptedMs) } };
    }, [1000]);
  },
);

test.skipIf(!hasOpenssl)("the time until a proxy opens a tunnel counts as connecting", async () => {
  const [port, proxy] = [await startTls(), await startProxy()];
  const proxyPort = Number(new URL(proxy.url).port);
  const visitor = (host: string): TestClient =>
    client(`https://127.0.0.1:${port}`, { ...trusting, proxy: `http://${host}` });
  await expectDelays(await throughRelays(proxyPort, visitor, "connecting"));
});

test.skipIf(!hasOpenssl)("a delay of the first bytes of TLS counts as tlsHandshaking", async () => {
  const visitor = (host: string): TestClient => client(`https://${host}`, trusting);
  await expectDelays(await throughRelays(await startTls(), visitor, "tlsHandshaking"));
});
