import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { expect, onTestFinished, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { closedPort, startRawServer } from "../servers.ts";
import { expectNothingOpen, expectPartsOfWhole, startDialer, type Opened } from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";
import { startNameServer } from "./start-name-server.ts";
import { ConnectFailure } from "../../src/net/connect-failure.ts";
import { shown } from "../../../cli/test/shown.ts";
import { startEagerProxy, startProxy } from "./start-proxy.ts";

function withUser(url: string, user: string): string {
  return url.replace("http://", `http://${user}@`);
}

/** Returns the facts and the message of an opening that failed because of the proxy. */
function failure({ error }: Opened) {
  if (!(error instanceof ConnectFailure)) throw new Error(`no ConnectFailure: ${String(error)}`);
  expect(error.info.kind).toBe("proxy");
  return { facts: error.info, message: shown(error.info.reason) };
}

test("a plain request opens no tunnel, and gets the credentials for the proxy", async () => {
  const proxy = await startProxy();
  const { dialer, open } = startDialer({ proxy: withUser(proxy.url, "me:p%40ss") });
  const { error, opening } = await open("http://shop.example");
  expect(error).toBeNull();
  expect(opening).toMatchObject({ waitsForProxy: null, alpn: null });
  expect(proxy.heads).toEqual([]);
  const text = "http://shop.example";
  const origin = { isSecure: false, host: "shop.example", port: 80, text, pool: text };
  expect(dialer.forwarding(origin)?.authorization).toBe(`Basic ${btoa("me:p@ss")}`);
  expect(dialer.forwarding({ ...origin, isSecure: true })).toBeNull();
  expect(startDialer().dialer.forwarding(origin)).toBeNull();
});

test("CONNECT has the target's name and the credentials; bytes after its response belong to the tunnel", async () => {
  const proxy = await startRawServer((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(`HTTP/1.0 204\r\nvia: us\r\ncontent-length: 3\r\n\r\nfirst `);
    setTimeout(() => socket.end("second"), 20);
  });
  const { open } = startDialer({ proxy: withUser(proxy.url, "me"), protocol: "h2c" });
  const { error, socket } = await open("http://shop.example:8080");
  expect(error).toBeNull();
  expect(proxy.heads).toEqual([
    `CONNECT shop.example:8080 HTTP/1.1\r\nhost: shop.example:8080\r\nproxy-authorization: Basic ${btoa("me:")}`,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect((await socket!.setEncoding("latin1").toArray()).join("")).toBe("first second");
});

test("CONNECT has an IPv6 address in brackets", async () => {
  const proxy = await startRawServer((socket) => socket.end("HTTP/1.1 403 No\r\n\r\n"));
  await startDialer({ proxy: proxy.url, protocol: "h2c" }).open("http://[::1]:8080");
  expect(proxy.heads).toEqual(["CONNECT [::1]:8080 HTTP/1.1\r\nhost: [::1]:8080"]);
});

test("HTTP/2 through a tunnel loses no bytes that come with the proxy's response", async () => {
  const server = createHttp2Server((_request, response) => response.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const proxy = await startEagerProxy();
  const { open } = startDialer({ proxy: proxy.url, protocol: "h2c" });
  const { socket, opening } = await open(`http://127.0.0.1:${port}`);
  expect(opening.isShared).toBe(false);
  const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => socket! });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":path": "/" });
  expect(String((await stream.toArray())[0])).toBe("hello");
});

test.each([
  ["HTTP/1.1 407 Who are you?\r\n\r\n", 407, 'answered CONNECT with "HTTP/1.1 407 Who are you?"'],
  [
    "HTTP/1.1 502 Bad\x1b[31m\xff\r\n\r\n",
    undefined,
    'answered CONNECT with "HTTP/1.1 502 Bad\\u001b[31m\\xff", which is not HTTP',
  ],
  ["HTTP/1.1 502 Bad\xff\r\n\r\n", 502, 'answered CONNECT with "HTTP/1.1 502 Bad\\xff"'],
  ["HTTP/1.1 301 Elsewhere\r\nlocation: x\r\n\r\n", 301, 'answered CONNECT with "HTTP/1.1 301 Elsewhere"'],
  ["HTTP/1.1 101 Switching\r\n\r\n", undefined, 'with "HTTP/1.1 101 Switching", which is not HTTP'],
  ["HTTP/1.1 20 Short\r\n\r\n", undefined, 'with "HTTP/1.1 20 Short", which is not HTTP'],
  ["HTTP/1.1 200 OK\r\nno colon\r\n\r\n", undefined, 'with "no colon", which is not HTTP'],
  ["HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", undefined, 'with " folded: x", which is not HTTP'],
  ["SSH-2.0-OpenSSH_9.2\r\n", undefined, 'with "SSH-2.0-OpenSSH_9.2\\r\\n", which is not HTTP'],
  ["\x05\x00", undefined, 'with "\\u0005\\u0000", which is not HTTP'],
  [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}`, undefined, "with more than 16384 bytes of headers"],
  [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, undefined, "with more than 16384 bytes of headers"],
])("a proxy that responds with %j fails the opening", async (answer, status, said) => {
  const proxy = await startRawServer((socket) => void socket.write(answer, "latin1"));
  const { open, opened, closed } = startDialer({ proxy: withUser(proxy.url, "me:secret") });
  const result = await open("https://shop.example");
  const { message, facts } = failure(result);
  expect(facts.status).toBe(status);
  expect(message).toContain(said);
  expect(message).toContain(`the proxy ${proxy.url.slice("http://".length)} `);
  expect(message).not.toContain("secret");
  expect(result.opening).toMatchObject({ phase: "connecting", waitsForProxy: expect.any(String) as string });
  await eventually(() => expect([opened(), closed()]).toEqual([1, 1]));
  await expectNothingOpen();
});

test("a proxy that closes, resets, refuses or has no address is named in the message", async () => {
  const closing = await startRawServer((socket) => socket.end());
  expect(failure(await startDialer({ proxy: closing.url }).open("https://a")).message).toMatch(
    /closed the connection$/,
  );
  const halfway = await startRawServer((socket) => socket.end("HTTP/1.1 2"));
  expect(failure(await startDialer({ proxy: halfway.url }).open("https://a")).message).toContain(
    'after "HTTP/1.1 2"',
  );
  const resetting = await startRawServer((socket) => socket.resetAndDestroy());
  expect(failure(await startDialer({ proxy: resetting.url }).open("https://a")).facts.cause).toBe(
    "ECONNRESET",
  );
  const refusing = await closedPort();
  for (const url of ["https://a", "http://a"]) {
    const { message, facts } = failure(await startDialer({ proxy: refusing }).open(url));
    expect(facts.cause).toBe("ECONNREFUSED");
    expect(message).toContain(`the proxy ${refusing.slice("http://".length)}: `);
  }
  const server = await startNameServer(() => "NXDOMAIN");
  const dns = { ...defaultHttp.dns, servers: [server.address] };
  const unknown = await startDialer({ proxy: "http://proxy.example:3128", dns }).open("http://shop.example");
  expect(failure(unknown).facts.cause).toBe("ENOTFOUND");
  expect(failure(unknown).message).toContain("the proxy proxy.example:3128: ");
  expect(server.questions).toEqual(["A proxy.example"]);
  await expectNothingOpen();
});

test("an unavailable local address is not the proxy's fault", async () => {
  const { open } = startDialer({ proxy: await closedPort(), localAddresses: ["203.0.113.9"] });
  expect((await open("http://a")).error).toMatchObject({ code: "BEARHUG_ADDRESS_UNAVAILABLE" });
});

test("an opening cancelled while the proxy is silent leaves nothing; a slow proxy's time counts as connecting", async () => {
  const silent = await startListener("127.0.0.1");
  const { begin } = startDialer({ proxy: `http://127.0.0.1:${silent.port}` });
  const ends: Opened[] = [];
  const opening = begin("https://shop.example", ends);
  await eventually(() => expect(opening.raw).not.toBeNull());
  expect(opening).toMatchObject({ phase: "connecting", waitsForProxy: `127.0.0.1:${silent.port}` });
  opening.cancel();
  await expectNothingOpen();
  expect(ends).toEqual([]);
  const target = await startListener("127.0.0.1");
  const slow = await startProxy(80);
  const dialer = startDialer({ proxy: slow.url, protocol: "h2c" });
  const opened = await dialer.open(`http://127.0.0.1:${target.port}`);
  expect(opened.opening.phases.connecting).toBeGreaterThanOrEqual(79);
  expectPartsOfWhole(opened);
});
