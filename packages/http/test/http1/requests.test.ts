import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import type { WireRequest } from "../../src/transport/transport.ts";
import type { StreamedBody } from "../../src/transport/wire-body.ts";
import { openHttp1, type OpenOptions } from "./open-http1.ts";

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

function streamOf(pieces: readonly string[], length: number | null, onEnd = (): void => {}): StreamedBody {
  async function* open(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
    onEnd();
  }
  return { length, isRepeatable: true, open };
}

interface Case {
  readonly what: string;
  readonly request?: Partial<WireRequest>;
  readonly options?: OpenOptions;
  readonly bytes: string;
}

const kept = "host: shop.example:8080\r\nconnection: keep-alive\r\n";

const cases: readonly Case[] = [
  { what: "a GET", bytes: `GET / HTTP/1.1\r\n${kept}\r\n` },
  {
    what: "headers as given, in order, bytes from 0x80 included",
    request: { path: "/a?b=%20", headers: ["X-B", "1", "x-a", "", "X-B", "\xe9"] },
    bytes: `GET /a?b=%20 HTTP/1.1\r\n${kept}X-B: 1\r\nx-a: \r\nX-B: \xe9\r\n\r\n`,
  },
  {
    what: "a host and a connection header that the test gives",
    request: { headers: ["Host", "other.example", "Connection", "close"] },
    bytes: "GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n",
  },
  {
    what: "the last request of a connection",
    options: { maxRequests: 1 },
    bytes: "GET / HTTP/1.1\r\nhost: shop.example:8080\r\nconnection: close\r\n\r\n",
  },
  {
    what: "a request to a proxy that forwards",
    options: { proxy: { authorization: "Basic YTpi" } },
    request: { path: "/a" },
    bytes: `GET http://shop.example:8080/a HTTP/1.1\r\n${kept}proxy-authorization: Basic YTpi\r\n\r\n`,
  },
  {
    what: "a request to a proxy without credentials",
    options: { proxy: { authorization: null } },
    bytes: `GET http://shop.example:8080/ HTTP/1.1\r\n${kept}\r\n`,
  },
  {
    what: "credentials for a proxy that the test gives",
    options: { proxy: { authorization: "Basic YTpi" } },
    request: { headers: ["Proxy-Authorization", "Bearer x"] },
    bytes: `GET http://shop.example:8080/ HTTP/1.1\r\n${kept}Proxy-Authorization: Bearer x\r\n\r\n`,
  },
  ...["POST", "PUT", "PATCH"].map((method) => ({
    what: `a ${method} without a body`,
    request: { method },
    bytes: `${method} / HTTP/1.1\r\n${kept}content-length: 0\r\n\r\n`,
  })),
  ...["DELETE", "OPTIONS", "HEAD", "PURGE"].map((method) => ({
    what: `a ${method} without a body`,
    request: { method },
    bytes: `${method} / HTTP/1.1\r\n${kept}\r\n`,
  })),
  {
    what: "a body in memory",
    request: { method: "POST", body: Buffer.from("\0\xffbody", "latin1") },
    bytes: `POST / HTTP/1.1\r\n${kept}content-length: 6\r\n\r\n\0\xffbody`,
  },
  {
    what: "a length that the test gives",
    request: { method: "POST", headers: ["Content-Length", "2"], body: Buffer.from("ok") },
    bytes: `POST / HTTP/1.1\r\n${kept}Content-Length: 2\r\n\r\nok`,
  },
  {
    what: "a stream of known length",
    request: { method: "POST", body: streamOf(["a", "bc"], 3) },
    bytes: `POST / HTTP/1.1\r\n${kept}content-length: 3\r\n\r\nabc`,
  },
  {
    what: "a stream of no bytes",
    request: { method: "POST", body: streamOf([], 0) },
    bytes: `POST / HTTP/1.1\r\n${kept}content-length: 0\r\n\r\n`,
  },
  {
    what: "a stream of unknown length",
    request: { method: "POST", body: streamOf(["a", "", "b".repeat(26)], null) },
    bytes: `POST / HTTP/1.1\r\n${kept}transfer-encoding: chunked\r\n\r\n1\r\na\r\n1a\r\n${"b".repeat(26)}\r\n0\r\n\r\n`,
  },
  {
    what: "a stream of unknown length that is empty",
    request: { method: "POST", body: streamOf([], null) },
    bytes: `POST / HTTP/1.1\r\n${kept}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
];

describe("the bytes of a request", () => {
  test.each(cases)("$what", async ({ request, options, bytes }) => {
    const { send, receivedText, peer } = await openHttp1(options);
    const recording = send(request);
    await eventually(() => {
      expect(receivedText().length).toBeGreaterThanOrEqual(bytes.length);
    });
    peer.write(answer);
    await recording.over;
    expect(receivedText()).toBe(bytes);
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
  });

  test("are cached for a constant one, which still has connection: close if it is the last", async () => {
    const { send, receivedText, peer, transport } = await openHttp1({ maxRequests: 3 });
    peer.on("data", () => peer.write(answer));
    const constant = { method: "GET", origin: transport.origin, path: "/", headers: [], body: null };
    const request = { ...constant, isConstant: true };
    for (let time = 0; time < 3; time++) {
      expect(transport.room).toBe(1);
      await send(request).over;
    }
    const first = `GET / HTTP/1.1\r\n${kept}\r\n`;
    expect(receivedText()).toBe(first + first + first.replace("keep-alive", "close"));
    expect(transport.room).toBe(0);
  });
});

describe("a large body", () => {
  const bytes = 20 * 1024 * 1024;
  const large = Buffer.alloc(bytes, "0123456789");

  test.each([
    ["in memory", large],
    ["a stream", { length: bytes, isRepeatable: true, open: () => slices(large) }],
  ])("(%s) arrives whole and in order, and is sent when the system has all of it", async (_what, body) => {
    const { send, peer } = await openHttp1({ isDeaf: true });
    const recording = send({ method: "POST", body });
    await wait(100);
    expect(recording.calls).toEqual(["start"]);
    const pieces: Buffer[] = [];
    let received = 0;
    peer.on("data", (piece: Buffer) => {
      pieces.push(piece);
      received += piece.length;
      if (received >= bytes + headBytes) peer.write(answer);
    });
    const headBytes = `POST / HTTP/1.1\r\n${kept}content-length: ${bytes}\r\n\r\n`.length;
    await recording.over;
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
    expect(Buffer.concat(pieces).subarray(headBytes).equals(large)).toBe(true);
  });

  test("waits for the server: a stream is read only as fast as it can be sent", async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 65_536;
        yield await Promise.resolve(Buffer.alloc(65_536));
      }
    }
    const { send, transport } = await openHttp1({ isDeaf: true });
    const recording = send({ method: "POST", body: { length: null, isRepeatable: true, open: endless } });
    const most = 32 * 1024 * 1024;
    for (let before = -1; (taken === 0 || before !== taken) && taken < most;) {
      before = taken;
      await wait(100);
    }
    expect(taken).toBeLessThan(most);
    transport.cancel(recording);
    expect(recording.calls).toEqual(["start"]);
  });
});

async function* slices(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000)
    yield await Promise.resolve(bytes.subarray(at, at + 100_000));
}

describe("a body that cannot be read", () => {
  test.each([null, 10])("ends its request and its connection (length %s)", async (length) => {
    const { send, receivedText, peer, reported } = await openHttp1();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from("some"));
      throw new Error("the file is gone");
    }
    const recording = send({ method: "POST", body: { length, isRepeatable: true, open: broken } });
    await recording.over;
    expect(recording.error).toMatchObject({ info: { kind: "requestBody", reason: "the file is gone" } });
    expect(reported).toEqual(["gone"]);
    if (!peer.closed) await new Promise((resolve) => peer.once("close", resolve));
    expect(receivedText()).toMatch(/some(?:\r\n)?$/);
  });
});

test("a stream of known length counts as sent with its last byte, before its source has ended", async () => {
  const { send, peer, transport } = await openHttp1();
  let release = (): void => {};
  async function* late(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("all");
    await new Promise<void>((resolve) => (release = resolve));
  }
  peer.once("data", () => setTimeout(() => peer.write(answer), 30));
  const recording = send({ method: "POST", body: { length: 3, isRepeatable: true, open: late } });
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
  expect(transport.room).toBe(1);
  release();
});
