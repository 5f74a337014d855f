import { connect } from "node:net";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/sdk/internal";
import { describe, expect, test, vi } from "vitest";

import { TlsSessions } from "../../src/net/tls-sessions.ts";
import { hasOpenssl } from "../http/make-certificate.ts";
import { makeAuthority } from "./certificate-authority.ts";
import {
  expectNothingOpen,
  expectPartsOfWhole,
  startDialer,
  type Opened,
  type TestDialer,
} from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";
import { startProxy } from "./start-proxy.ts";
import { startTlsServer } from "./start-tls-server.ts";

const authority = hasOpenssl ? makeAuthority() : null;
const tls = { ...defaultHttp.tls, ca: [authority?.cert ?? ""] };
const certificate = authority?.issue({ altName: "IP:127.0.0.1,DNS:localhost,DNS:shop.example" });

describe.skipIf(!hasOpenssl)("TLS connections (need openssl to make certificates)", () => {
  test.each([
    ["auto", ["h2", "http/1.1"], "h2"],
    ["auto", ["http/1.1"], "http/1.1"],
    ["auto", undefined, null],
    ["http1", ["h2", "http/1.1"], "http/1.1"],
    ["http2", ["http/1.1", "h2"], "h2"],
    ["h2c", ["h2"], "h2"],
  ] as const)("protocol %s with a server of %j speaks %s", async (protocol, spoken, alpn) => {
    const server = await startTlsServer({
      ...certificate,
      ...(spoken === undefined ? {} : { ALPNProtocols: [...spoken] }),
    });
    const { error, opening, socket } = await startDialer({ protocol, tls }).open(server.url);
    expect(error).toBeNull();
    expect(opening.alpn).toBe(alpn);
    expect(opening.raw).not.toBe(socket);
  });

  test("HTTP/2 that the server does not negotiate is no connection", async () => {
    const server = await startTlsServer({ ...certificate });
    const { error } = await startDialer({ protocol: "http2", tls }).open(server.url);
    const reason: unknown = expect.stringContaining("negotiated no protocol");
    expect(error).toMatchObject({ name: "ConnectFailure", facts: { kind: "notNegotiated", reason } });
    await expectNothingOpen();
  });

  test("the server's name is said, unless it is an address", async () => {
    const server = await startTlsServer({ ...certificate });
    const names = async ({ open }: TestDialer, host: string) => {
      expect((await open(`https://${host}:${server.port}`)).error).toBeNull();
      await vi.waitFor(() => expect(server.handshakes).toHaveLength(1));
      return server.handshakes.splice(0)[0]?.name;
    };
    const hosts = { "shop.example": ["127.0.0.1"], "elsewhere.example": ["127.0.0.1"] };
    expect(await names(startDialer({ tls }), "127.0.0.1")).toBe(false);
    expect(await names(startDialer({ tls, hosts }), "shop.example")).toBe("shop.example");
    expect(await names(startDialer({ tls, hosts }), "shop.example.")).toBe("shop.example");
    const named = startDialer({ tls: { ...tls, serverName: "shop.example" }, hosts });
    expect(await names(named, "elsewhere.example")).toBe("shop.example");
  });

  test.each(["1.2", "1.3"] as const)(
    "a visitor resumes its session of TLS %s, and nobody else's",
    async (version) => {
      const server = await startTlsServer({ ...certificate });
      const { open } = startDialer({ tls: { ...tls, minVersion: version, maxVersion: version } });
      const visit = async (sessions?: TlsSessions) => {
        const { error, socket } = await open(server.url, sessions);
        expect(error).toBeNull();
        // Tickets of TLS 1.3 come with the first bytes that are read.
        await new Promise((resolve) => socket!.once("data", resolve));
        const isResumed = (socket as TLSSocket).isSessionReused();
        socket!.destroy();
        expect(server.handshakes.at(-1)?.isResumed).toBe(isResumed);
        return isResumed;
      };
      const sessions = new TlsSessions();
      expect(await visit(sessions)).toBe(false);
      for (let count = 0; count < 3; count++) expect(await visit(sessions)).toBe(true);
      expect(await visit(new TlsSessions())).toBe(false);
      expect(await visit()).toBe(false);
      sessions.clear();
      expect(await visit(sessions)).toBe(false);
    },
  );

  test("with resumeSessions off none is resumed, and none is kept", async () => {
    const server = await startTlsServer({ ...certificate });
    const { open } = startDialer({ tls: { ...tls, resumeSessions: false } });
    const sessions = new TlsSessions();
    for (let count = 0; count < 2; count++) {
      const { socket } = await open(server.url, sessions);
      await new Promise((resolve) => socket!.once("data", resolve));
    }
    expect(server.handshakes.map(({ isResumed }) => isResumed)).toEqual([false, false]);
    expect(sessions.get(server.url)).toBeUndefined();
  });

  test("a tunnel carries TLS with the target: its name, its certificate", async () => {
    const server = await startTlsServer({ ...certificate });
    const proxy = await startProxy();
    const { open, opened, closed } = startDialer({ tls, proxy: proxy.url });
    const { error, socket, opening } = await open(server.url);
    expect(error).toBeNull();
    expect(String(await new Promise((resolve) => socket!.once("data", resolve)))).toBe("hi");
    expect(proxy.heads).toHaveLength(1);
    expect(opening.waitsForProxy).toBeNull();
    socket!.destroy();
    await vi.waitFor(() => expect([opened(), closed()]).toEqual([1, 1]));
    await expectNothingOpen();
    const wrong = await startDialer({ proxy: proxy.url }).open(server.url);
    expect(wrong.error).toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(wrong.opening.phase).toBe("tlsHandshaking");
  });

  test("each part of an opening is timed apart", async () => {
    const server = await startTlsServer({ ...certificate });
    const delaying = await startListener("127.0.0.1", (socket) => {
      const target = connect({ port: server.port, host: "127.0.0.1" });
      socket.once("data", (hello) => {
        setTimeout(() => {
          target.write(hello);
          socket.pipe(target);
        }, 90);
      });
      target.pipe(socket);
      socket.on("close", () => target.destroy());
    });
    const proxy = await startProxy(50);
    const opened = await startDialer({ tls, proxy: proxy.url }).open(`https://127.0.0.1:${delaying.port}`);
    expect(opened.error).toBeNull();
    const { connecting, tlsHandshaking, lookingUp } = opened.opening.phases;
    expect(lookingUp).toBe(0);
    expect(connecting).toBeGreaterThanOrEqual(49);
    expect(tlsHandshaking).toBeGreaterThanOrEqual(89);
    expectPartsOfWhole(opened);
  });
});

test("given up in the handshake, nothing is said and nothing is left", async () => {
  const { port } = await startListener("127.0.0.1");
  const { begin, opened, closed } = startDialer();
  const ends: Opened[] = [];
  const opening = begin(`https://127.0.0.1:${port}`, ends);
  await vi.waitFor(() => expect(opening.phase).toBe("tlsHandshaking"));
  opening.cancel();
  await expectNothingOpen();
  expect(ends).toEqual([]);
  expect([opened(), closed()]).toEqual([1, 1]);
});

test("the sessions of a visitor are bounded: the oldest goes", () => {
  const sessions = new TlsSessions();
  for (let count = 0; count < 40; count++) sessions.keep(`https://h${count}`, Buffer.from([count]));
  expect(sessions.get("https://h0")).toBeUndefined();
  expect(sessions.get("https://h39")).toEqual(Buffer.from([39]));
  sessions.keep("https://h8", Buffer.from([88]));
  for (let count = 40; count < 60; count++) sessions.keep(`https://h${count}`, Buffer.from([count]));
  expect(sessions.get("https://h8")).toEqual(Buffer.from([88]));
  sessions.forget("https://h8");
  expect(sessions.get("https://h8")).toBeUndefined();
});
