import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TLSSocket } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { TlsSessions } from "../../src/net/tls-sessions.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { hasOpenssl } from "../make-certificate.ts";
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
    for (const reads of ["shared", "own"] as const) {
      const { error, opening, firstBytes } = await startDialer({ protocol, tls, reads }).open(server.url);
      expect(error).toBeNull();
      expect(opening.alpn).toBe(alpn);
      expect(opening.isShared).toBe(reads === "shared");
      expect(await firstBytes()).toBe("hi");
    }
  });

  test.each(["shared", "own"] as const)(
    "with reads into %s memory, wire bytes are those that crossed the wire",
    async (reads) => {
      const server = await startTlsServer({ ...certificate });
      const crossed = { up: 0, down: 0 };
      const relay = await startListener("127.0.0.1", (socket) => {
        const target = connect({ port: server.port, host: "127.0.0.1" });
        socket.on("data", (bytes) => (crossed.up += bytes.length)).pipe(target);
        target.on("data", (bytes) => (crossed.down += bytes.length)).pipe(socket);
        socket.on("close", () => target.destroy());
      });
      const { socket, opening, firstBytes } = await startDialer({ tls, reads }).open(
        `https://127.0.0.1:${relay.port}`,
      );
      expect(await firstBytes()).toBe("hi");
      socket!.write("x".repeat(100_000));
      await eventually(() => {
        expect(crossed.up).toBeGreaterThan(100_000);
        expect(opening.wire).toMatchObject({ bytesWritten: crossed.up, bytesRead: crossed.down });
      });
      const { bytesRead, bytesWritten } = opening.wire!;
      const closed = new Promise((resolve) => socket!.once("close", resolve));
      socket!.destroy();
      await closed;
      await nextTurn();
      expect(opening.wire!.bytesRead).toBe(bytesRead);
      expect(opening.wire!.bytesWritten).toBeGreaterThanOrEqual(bytesWritten);
    },
  );

  test("an address that hosts maps to another is the name to verify, and node:tls does not dial it", async () => {
    const server = await startTlsServer({ ...certificate });
    const hosts = { "127.0.0.9": ["127.0.0.1"] };
    const { open } = startDialer({ tls, hosts });
    const { error, opening } = await open(`https://127.0.0.9:${server.port}`);
    expect(error?.message).toBe(
      "the certificate is not for 127.0.0.9, but for IP Address:127.0.0.1, DNS:localhost, DNS:shop.example",
    );
    expect(opening.isShared).toBe(false);
  });

  test("TLS goes through a unix socket", async () => {
    const server = await startTlsServer({ ...certificate });
    const path = join(temporaryFolder(), "s");
    await startListener(path, (socket) => {
      socket.pipe(connect({ port: server.port, host: "127.0.0.1" })).pipe(socket);
    });
    const { open } = startDialer({ tls, unixSocket: path });
    const { error, opening, firstBytes } = await open("https://shop.example");
    expect(error).toBeNull();
    expect(opening).toMatchObject({ isShared: true, peer: { remoteAddress: null } });
    expect(await firstBytes()).toBe("hi");
    expect((await open("https://elsewhere.example")).error?.message).toContain(
      "is not for elsewhere.example",
    );
  });

  test("protocol http2 fails if the server does not negotiate HTTP/2", async () => {
    const server = await startTlsServer({ ...certificate });
    const { error } = await startDialer({ protocol: "http2", tls }).open(server.url);
    const reason: unknown = expect.stringContaining("negotiated no protocol");
    expect(error).toMatchObject({ name: "ConnectFailure", info: { kind: "notNegotiated", reason } });
    await expectNothingOpen();
  });

  test("the server's name is sent, unless it is an address", async () => {
    const server = await startTlsServer({ ...certificate });
    const names = async ({ open }: TestDialer, host: string) => {
      expect((await open(`https://${host}:${server.port}`)).error).toBeNull();
      await eventually(() => expect(server.handshakes).toHaveLength(1));
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
    "a visitor resumes its own session of TLS %s, and no other visitor's",
    async (version) => {
      const server = await startTlsServer({ ...certificate });
      const { open } = startDialer({ tls: { ...tls, minVersion: version, maxVersion: version } });
      const visit = async (sessions?: TlsSessions) => {
        const { error, socket, firstBytes } = await open(server.url, sessions);
        expect(error).toBeNull();
        await firstBytes();
        // A TLS 1.3 server sends tickets some time after the handshake.
        if (sessions !== undefined) await eventually(() => expect(sessions.get(server.url)).toBeDefined());
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

  test("with resumeSessions off, no session is resumed or kept", async () => {
    const server = await startTlsServer({ ...certificate });
    const { open } = startDialer({ tls: { ...tls, resumeSessions: false } });
    const sessions = new TlsSessions();
    for (let count = 0; count < 2; count++) {
      await (await open(server.url, sessions)).firstBytes();
    }
    expect(server.handshakes.map(({ isResumed }) => isResumed)).toEqual([false, false]);
    expect(sessions.get(server.url)).toBeUndefined();
  });

  test("TLS through a tunnel verifies the target's certificate", async () => {
    const server = await startTlsServer({ ...certificate });
    const proxy = await startProxy();
    const { open, opened, closed } = startDialer({ tls, proxy: proxy.url });
    const { error, socket, opening, firstBytes } = await open(server.url);
    expect(error).toBeNull();
    expect(await firstBytes()).toBe("hi");
    expect(proxy.heads).toHaveLength(1);
    expect(opening.waitsForProxy).toBeNull();
    socket!.destroy();
    await eventually(() => expect([opened(), closed()]).toEqual([1, 1]));
    await expectNothingOpen();
    const wrong = await startDialer({ proxy: proxy.url }).open(server.url);
    expect(wrong.error).toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(wrong.opening.phase).toBe("tlsHandshaking");
  });

  test("the phases of an opening are timed separately", async () => {
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

test("an opening that is cancelled in the handshake reports nothing and leaves nothing open", async () => {
  const { port } = await startListener("127.0.0.1");
  const { begin, opened, closed } = startDialer();
  const ends: Opened[] = [];
  const opening = begin(`https://127.0.0.1:${port}`, ends);
  await eventually(() => expect(opening.phase).toBe("tlsHandshaking"));
  opening.cancel();
  await expectNothingOpen();
  expect(ends).toEqual([]);
  expect([opened(), closed()]).toEqual([1, 1]);
});

test("a visitor's number of sessions is bounded: the oldest is dropped", () => {
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
