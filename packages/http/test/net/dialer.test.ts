import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { expect, onTestFinished, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { closedPort } from "../servers.ts";
import { startNameServer } from "./start-name-server.ts";
import { expectNothingOpen, expectPartsOfWhole, startDialer, type Opened } from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";

function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-socket-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "s");
}

test("a dialer opens connections, counts opened and closed ones, and negotiates nothing without TLS", async () => {
  const { port } = await startListener("127.0.0.1");
  const { open, opened, closed } = startDialer();
  const { error, socket, opening } = await open(`http://127.0.0.1:${port}`);
  expect(error).toBeNull();
  expect(opening.raw).toBe(socket);
  expect(opening).toMatchObject({ alpn: null, waitsForProxy: null, isShared: true });
  expect(opening.phases).toMatchObject({ lookingUp: 0, tlsHandshaking: 0 });
  expect([opened(), closed()]).toEqual([1, 0]);
  socket?.destroy();
  await eventually(() => expect(closed()).toBe(1));
  await expectNothingOpen();
});

test("after an address that refuses, the next one is tried", async () => {
  const { port, sockets } = await startListener("127.0.0.3");
  const hosts = { two: ["127.0.0.2", "127.0.0.3"], none: ["127.0.0.4", "::1"] };
  const { open } = startDialer({ hosts });
  expect((await open(`http://two:${port}`)).socket?.remoteAddress).toBe("127.0.0.3");
  expect((await open(`http://two:${port}`)).socket?.remoteAddress).toBe("127.0.0.3");
  const { error, opening } = await open(`http://none:${port}`);
  expect(error).toMatchObject({ name: "DialError", code: "ECONNREFUSED", tried: ["127.0.0.4", "::1"] });
  expect(error?.message).toContain("tried 127.0.0.4, ::1");
  expect(opening).toMatchObject({ phase: "connecting", raw: null });
  await eventually(() => expect(sockets).toHaveLength(2));
});

test("a port on which nothing listens refuses the connection", async () => {
  const { open, opened } = startDialer();
  const { error } = await open(await closedPort());
  expect(error).toMatchObject({ name: "DialError", code: "ECONNREFUSED" });
  expect(opened()).toBe(0);
  await expectNothingOpen();
});

test("connections come from local addresses in turn", async () => {
  const { port, sockets } = await startListener("0.0.0.0");
  const { open } = startDialer({ localAddresses: ["127.0.0.5", "127.0.0.6", "::1"] });
  for (let count = 0; count < 3; count++) await open(`http://127.0.0.1:${port}`);
  await eventually(() => expect(sockets).toHaveLength(3));
  expect(sockets.map(({ remoteAddress }) => remoteAddress)).toEqual(["127.0.0.5", "127.0.0.6", "127.0.0.5"]);
});

test("a foreign local address, or one of the wrong family, is not reported as an exhausted port", async () => {
  const { port } = await startListener("127.0.0.1");
  const { error } = await startDialer({ localAddresses: ["203.0.113.9"] }).open(`http://127.0.0.1:${port}`);
  expect(error).toMatchObject({ name: "DialError", code: "BEARHUG_ADDRESS_UNAVAILABLE" });
  expect(error?.message).toContain("203.0.113.9");
  const six = await startDialer({ localAddresses: ["::1"] }).open(`http://127.0.0.1:${port}`);
  expect(six.error).toMatchObject({ code: "BEARHUG_ADDRESS_UNAVAILABLE" });
  expect(six.error?.message).toBe("none of localAddresses is of the family of 127.0.0.1");
});

test("addresses of a family that no local address has are skipped", async () => {
  const { port } = await startListener("127.0.0.1");
  const { open } = startDialer({
    hosts: { both: ["::1", "127.0.0.1"] },
    dns: { ...defaultHttp.dns, policy: "any", select: "first" },
    localAddresses: ["127.0.0.7"],
  });
  expect((await open(`http://both:${port}`)).socket).toMatchObject({ localAddress: "127.0.0.7" });
});

test("every connection goes to a unix socket, whatever the address", async () => {
  const path = socketPath();
  const { sockets } = await startListener(path, (socket) => socket.write("hello"));
  const { open } = startDialer({ unixSocket: path });
  const { error, socket, opening } = await open("http://no-such-host.invalid:1");
  expect(error).toBeNull();
  expect(opening.phases.lookingUp).toBe(0);
  expect(sockets).toHaveLength(1);
  socket?.destroy();
});

test("a unix socket that is missing, has no listener or is forbidden is an error with the system's code", async () => {
  const path = socketPath();
  const code = async (unixSocket: string) => (await startDialer({ unixSocket }).open("http://a")).error?.code;
  expect(await code(path)).toBe("ENOENT");
  expect(await code(process.execPath)).toBe("ECONNREFUSED");
  expect(await code(`/${"x".repeat(200)}`)).toBe("ENOENT");
  if (process.getuid?.() === 0) return;
  await startListener(path);
  chmodSync(path, 0);
  expect(await code(path)).toBe("EACCES");
});

test.each([
  ["shared", true],
  ["own", false],
] as const)("connections read into %s memory", async (reads, isShared) => {
  const { port } = await startListener("127.0.0.1", (socket) => socket.write("hello"));
  const { opening, firstBytes } = await startDialer({ reads }).open(`http://127.0.0.1:${port}`);
  expect(opening.isShared).toBe(isShared);
  expect(await firstBytes()).toBe("hello");
});

test("an opening that is cancelled while it connects reports nothing and leaves nothing open", async () => {
  const { port, sockets } = await startListener("127.0.0.1");
  const { begin, opened } = startDialer();
  const ends: Opened[] = [];
  const opening = begin(`http://127.0.0.1:${port}`, ends);
  expect(opening.phase).toBe("connecting");
  opening.cancel();
  opening.cancel();
  await expectNothingOpen();
  expect(ends).toEqual([]);
  expect(opened()).toBe(0);
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test("an error on a socket without an error listener is not thrown", async () => {
  const { port } = await startListener("127.0.0.1", (socket) =>
    setTimeout(() => socket.resetAndDestroy(), 5),
  );
  const { open, closed } = startDialer();
  const { socket } = await open(`http://127.0.0.1:${port}`);
  await eventually(() => expect(closed()).toBe(1));
  expect(socket?.destroyed).toBe(true);
});

test("HTTP/2 that needs TLS to be negotiated fails without TLS", async () => {
  const { error } = await startDialer({ protocol: "http2" }).open("http://127.0.0.1:1");
  expect(error).toMatchObject({ name: "ConnectFailure", info: { kind: "notNegotiated" } });
  const { begin } = startDialer({ protocol: "http2" });
  const ends: Opened[] = [];
  begin("http://127.0.0.1:1", ends).cancel();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(ends).toEqual([]);
});

test("a slow look-up and the connection are timed separately", async () => {
  const { port } = await startListener("127.0.0.1");
  const server = await startNameServer(
    () => ["127.0.0.1"],
    () => 80,
  );
  const { open } = startDialer({ dns: { ...defaultHttp.dns, servers: [server.address] } });
  const opened = await open(`http://slow.example:${port}`);
  const { lookingUp, connecting } = opened.opening.phases;
  expect(lookingUp).toBeGreaterThanOrEqual(79);
  expect(connecting).toBeGreaterThan(0);
  expectPartsOfWhole(opened);
});
