import type { Http2ServerResponse } from "node:http2";
import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import type { StreamedBody } from "../../src/transport/wire-body.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startHttp2Server } from "./http2-server.ts";
import { openHttp2, Recording } from "./open-http2.ts";

function streamed(length: number | null, pieces: () => AsyncGenerator<Uint8Array>): StreamedBody {
  return { length, isRepeatable: true, open: pieces };
}

test("a request's events come in order, and its response is what the server sent", async () => {
  const server = await startHttp2Server((response) => {
    response.writeHead(201, { "x-one": "1", "set-cookie": ["a=1", "b=2"] });
    response.end("hello");
  });
  const { send, transport } = await openHttp2(server.port);
  const recording = send();
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
  expect(recording.body).toBe("hello");
  const fields = recording.head?.rawHeaders().slice(0, 6);
  expect(fields).toEqual(["x-one", "1", "set-cookie", "a=1", "set-cookie", "b=2"]);
  expect(recording.head).toMatchObject({ status: 201, setsCookie: true });
  expect(transport).toMatchObject({ protocol: "HTTP/2", carried: 1, isIdle: true });
});

test("header names are in lower case, connection headers are left out, and host is the authority", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const headers = [
    "X-A",
    "1",
    "x-a",
    "2",
    "Connection",
    "close",
    "Host",
    "shop.example",
    "TE",
    "gzip",
    "Cookie",
    "a=1; b=2",
  ];
  await send({ path: "/p?q=1", headers }).over;
  expect(server.heads[0]).toMatchObject({
    ":method": "GET",
    ":scheme": "http",
    ":authority": "shop.example",
    ":path": "/p?q=1",
    "x-a": "1, 2",
    cookie: "a=1; b=2",
  });
  expect(Object.keys(server.heads[0] ?? {})).not.toEqual(expect.arrayContaining(["connection"]));
  expect(Object.keys(server.heads[0] ?? {})).not.toEqual(expect.arrayContaining(["te"]));
});

test("several values of a single-value header are sent as given", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const recording = send({ headers: ["user-agent", "a", "user-agent", "b"] });
  await recording.over;
  expect(recording.calls.at(-1)).toBe("end");
});

test.each([
  ["a line break", ["x-a", "1\r\nx-b: 2"]],
  ["NUL", ["x-a", "1\0"]],
  ["an invalid name", ["x a", "1"]],
  ["more than a frame takes", ["x-a", "y".repeat(100_000)]],
])("a header with %s fails its request and nothing else", async (_what, headers) => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const [bad, good] = [send({ headers }), send()];
  await Promise.all([bad.over, good.over]);
  expect(bad.error).toMatchObject({ code: "INVALID_REQUEST" });
  expect(bad.calls).toEqual(["failure"]);
  expect(good.calls.at(-1)).toBe("end");
});

test("requests run in parallel, up to the allowed number", async () => {
  const held: Http2ServerResponse[] = [];
  const server = await startHttp2Server((response) => {
    held.push(response);
    if (held.length > 1) for (const one of held.splice(1)) one.end("x");
  });
  const { send, transport, reported } = await openHttp2(server.port, { maxConcurrentStreams: 3 });
  const first = send();
  await expect.poll(() => transport.room).toBe(2);
  await send().over;
  expect(first.calls).toEqual(["start", "sent"]);
  expect(reported).toEqual(["room 2", "room 2"]);
  held[0]?.end("late");
  await first.over;
  expect(first.body).toBe("late");
  expect(transport.room).toBe(3);
});

test.each([
  ["bytes", Buffer.from("hello"), "5"],
  ["no bytes", Buffer.alloc(0), "0"],
  [
    "a stream of known length",
    streamed(5, async function* () {
      yield Buffer.from("hel");
      yield Buffer.from("lo");
    }),
    "5",
  ],
  [
    "a stream of unknown length",
    streamed(null, async function* () {
      yield Buffer.from("hello");
    }),
    undefined,
  ],
])("a body of %s arrives whole", async (what, body, length) => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const recording = send({ method: "POST", body });
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
  expect(server.bodies).toEqual([what === "no bytes" ? "" : "hello"]);
  expect(server.heads[0]?.["content-length"]).toBe(length);
});

test("a large body is sent as fast as the server's window allows", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const piece = Buffer.alloc(100_000, "x");
  const body = streamed(null, async function* () {
    for (let count = 0; count < 10; count++) yield piece;
  });
  await send({ method: "POST", body }).over;
  await send({ method: "POST", body: Buffer.alloc(1_000_000, "y") }).over;
  expect(server.bodies.map((text) => text.length)).toEqual([1_000_000, 1_000_000]);
});

test.each([
  [
    "throws",
    streamed(null, async function* () {
      yield Buffer.from("a");
      throw new Error("disk gone");
    }),
    "disk gone",
  ],
  [
    "is shorter than declared",
    streamed(9, async function* () {
      yield Buffer.from("a");
    }),
    "shorter",
  ],
  [
    "is longer than declared",
    streamed(1, async function* () {
      yield Buffer.from("abc");
    }),
    "longer",
  ],
])("a body that %s fails its request and leaves the connection", async (_what, body, reason) => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  const failure = await send({ method: "POST", body }).failure();
  expect(failure.kind).toBe("requestBody");
  expect(failure.reason).toContain(reason);
  const next = send();
  await next.over;
  expect(next.calls.at(-1)).toBe("end");
});

test("the body of a cancelled request is stopped", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { send, transport } = await openHttp2(server.port);
  let isStopped = false;
  const body = streamed(null, async function* () {
    try {
      for (;;) yield Buffer.alloc(1000);
    } finally {
      isStopped = true;
    }
  });
  const recording = send({ method: "POST", body });
  await expect.poll(() => server.heads.length).toBe(1);
  transport.cancel(recording, false);
  await expect.poll(() => isStopped).toBe(true);
  expect(recording.calls).toEqual(["start"]);
});

test("interim responses are skipped, and a HEAD has no body", async () => {
  const server = await startHttp2Server((response) => {
    response.writeEarlyHints({ link: "</a.css>; rel=preload" });
    response.writeHead(200, { "content-length": "7" });
    response.end();
  });
  const { send } = await openHttp2(server.port);
  const recording = send({ method: "HEAD" });
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
  expect(recording.head?.status).toBe(200);
});

test("trailers end a response and are left out", async () => {
  const server = await startHttp2Server((response) => {
    response.write("body");
    response.addTrailers({ "x-sum": "1" });
    response.end();
  });
  const { send } = await openHttp2(server.port);
  const recording = send();
  await recording.over;
  expect(recording).toMatchObject({ body: "body", error: null });
});

test("wire bytes are counted on a plain socket, too, and after it has closed", async () => {
  const server = await startHttp2Server((response) => response.end("x".repeat(10_000)));
  const { send, transport } = await openHttp2(server.port);
  await send().over;
  const { sent, received } = transport.takeBytes();
  expect(received).toBeGreaterThan(10_000);
  expect(sent).toBeGreaterThan(24);
  expect(transport.takeBytes().received).toBe(0);
  await setImmediate();
  transport.close();
  expect(transport.takeBytes().sent).toBeGreaterThan(0);
});

test("the phases of the opening are handed out once", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { transport } = await openHttp2(server.port);
  expect(transport.takeOpeningPhases()).toEqual({ lookingUp: 0, connecting: 1, tlsHandshaking: 2 });
  expect(transport.takeOpeningPhases()).toBeNull();
});

test.skipIf(!hasOpenssl)("parallel responses over TLS arrive whole", async () => {
  const server = await startHttp2Server((response, { url }) => {
    response.end("x".repeat(Number(url.slice(1))));
  }, makeCertificate("IP:127.0.0.1"));
  const { send, transport } = await openHttp2(server.port, { isSecure: true });
  await send({ path: "/0" }).over;
  const sizes = [0, 1, 16_384, 100_000, 3_000_000, 0, 20_000, 65_536];
  const recordings = sizes.map((size) => send({ path: `/${size}` }));
  await Promise.all(recordings.map(({ over }) => over));
  expect(recordings.map(({ error }) => error)).toEqual(sizes.map(() => null));
  expect(recordings.map(({ body }) => body.length)).toEqual(sizes);
  expect(transport.takeBytes().received).toBeGreaterThan(3_000_000);
});

test("a constant request is written the same each time", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { transport, request } = await openHttp2(server.port);
  const constant = request({ headers: ["x-a", "1"], isConstant: true });
  for (let count = 0; count < 2; count++) {
    const recording = new Recording();
    transport.send(constant, recording);
    await recording.over;
  }
  expect(server.heads.map((head) => head["x-a"])).toEqual(["1", "1"]);
});

test.each([
  ["without a body", {}],
  ["with a small body", { method: "POST", body: Buffer.alloc(2_000) }],
])("a request %s is sent when it is handed over, even if Node reports it later", async (_what, request) => {
  const server = await startHttp2Server((response) => response.end());
  const { send } = await openHttp2(server.port);
  await send().over;
  const recording = send(request);
  const handedOverAt = performance.now();
  // Other work of this turn must not count as sending.
  while (performance.now() - handedOverAt < 20) continue;
  await recording.over;
  expect(recording.calls.slice(0, 3)).toEqual(["start", "sent", "first byte"]);
  expect(recording.sentAt).toBeLessThanOrEqual(handedOverAt);
});
