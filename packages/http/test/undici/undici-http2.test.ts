import type { Http2ServerResponse } from "node:http2";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import type { StreamedBody } from "../../src/transport/wire-body.ts";
import { startHttp2Server } from "../http2/http2-server.ts";
import { openHttp2 } from "../http2/open-http2.ts";
import * as raw from "../http2/raw-frames.ts";
import { startRawHttp2Server } from "../http2/raw-http2-server.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startClient } from "../start-client.ts";

const speaks = "undici";

function streamed(length: number | null, pieces: () => AsyncGenerator<Uint8Array>): StreamedBody {
  return { length, isRepeatable: true, open: pieces };
}

describe("a connection on which undici speaks HTTP/2", () => {
  test("reports a request's events in order, with the head as it was sent", async () => {
    const server = await startHttp2Server((response) => {
      response.writeHead(201, { "x-one": "1", "set-cookie": ["a=1", "b=2"] });
      response.end("hello");
    });
    const { send, transport } = await openHttp2(server.port, { speaks });
    const headers = ["Connection", "close", "Host", "shop.example", "X-A", "1", "TE", "gzip"];
    const recording = send({ path: "/p?q=1", headers });
    await recording.over;
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
    expect(recording).toMatchObject({ body: "hello", head: { status: 201, setsCookie: true } });
    const fields = ["x-one", "1", "set-cookie", "a=1", "set-cookie", "b=2"];
    expect(recording.head?.rawHeaders().slice(0, 6)).toEqual(fields);
    expect(transport).toMatchObject({ protocol: "HTTP/2", isMultiplexed: true, carried: 1, isIdle: true });
    expect(server.heads[0]).toMatchObject({
      ":method": "GET",
      ":scheme": "http",
      ":authority": "shop.example",
      ":path": "/p?q=1",
      "x-a": "1",
    });
    for (const name of ["connection", "te"]) expect(server.heads[0]).not.toHaveProperty(name);
    const { sent, received } = transport.takeBytes();
    expect(Math.min(sent, received)).toBeGreaterThan(50);
    expect(transport.takeOpeningPhases()).toEqual({ lookingUp: 0, connecting: 1, tlsHandshaking: 2 });
  });

  test.each([
    ["a line break", ["x-a", "1\r\nx-b: 2"]],
    ["an invalid name", ["x a", "1"]],
    ["more than a frame takes", ["x-a", "y".repeat(100_000)]],
  ])("a header with %s fails its request and nothing else", async (_what, headers) => {
    const server = await startHttp2Server((response) => response.end());
    const { send, transport } = await openHttp2(server.port, { speaks });
    const bad = send({ headers });
    await bad.over;
    expect(bad.error).toMatchObject({ code: "INVALID_REQUEST" });
    expect(bad.calls).toEqual(["failure"]);
    const good = send();
    await good.over;
    expect(good.calls.at(-1)).toBe("end");
    expect(transport.carried).toBe(1);
  });

  test("runs requests in parallel, as many as the server allows", async () => {
    const held: Http2ServerResponse[] = [];
    const server = await startHttp2Server((response) => {
      held.push(response);
      if (held.length === 1) response.end("first");
    });
    const { send, transport } = await openHttp2(server.port, { speaks, maxConcurrentStreams: 3 });
    const first = send();
    expect(transport.room).toBe(0);
    await first.over;
    await expect.poll(() => transport.room).toBe(3);
    const others = [send(), send(), send()];
    expect(transport.room).toBe(0);
    await expect.poll(() => held.length).toBe(4);
    held[2]?.end("second of three");
    await others[1]?.over;
    expect(others.map(({ body }) => body)).toEqual(["", "second of three", ""]);
    expect(transport.room).toBe(1);
    transport.close();
    await Promise.all(others.map(({ over }) => over));
    expect(others[0]?.calls).toEqual(["start", "sent", "failure"]);
  });

  test("has no room if the server forbids streams, until it allows them", async () => {
    const server = await startRawHttp2Server({
      greeting: [raw.settings({ maxConcurrentStreams: 0 }), raw.settingsAck()],
    });
    const { transport, reported, send } = await openHttp2(server.port, { speaks });
    const first = send();
    await server.received("SETTINGS", 2);
    expect(transport.room).toBe(0);
    server.sockets[0]?.write(
      Buffer.concat([raw.settings({ maxConcurrentStreams: 2 }), raw.response(1, 200)]),
    );
    await first.over;
    await expect.poll(() => transport.room).toBeGreaterThan(0);
    const others = [send(), send()];
    expect(transport.room).toBe(0);
    await server.received("HEADERS", 3);
    transport.close();
    await Promise.all(others.map(({ over }) => over));
    expect(reported.filter((event) => event.startsWith("gone"))).toEqual(["gone 0"]);
  });

  test.each([
    ["bytes", Buffer.from("hello"), "5"],
    ["no bytes", Buffer.alloc(0), "0"],
    ["many bytes", Buffer.alloc(1_000_000, "y"), "1000000"],
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
  ])("a body of %s arrives whole", async (_what, body, length) => {
    const server = await startHttp2Server((response) => response.end());
    const { send } = await openHttp2(server.port, { speaks });
    const recording = send({ method: "POST", body });
    await recording.over;
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
    expect(server.bodies[0]?.length).toBe(body instanceof Uint8Array ? body.length : 5);
    expect(server.heads[0]?.["content-length"]).toBe(length);
  });

  test("a body that throws fails its request and leaves the connection", async () => {
    const server = await startHttp2Server((response) => response.end());
    const { send } = await openHttp2(server.port, { speaks });
    const body = streamed(null, async function* () {
      yield Buffer.from("a");
      throw new Error("disk gone");
    });
    await send().over;
    expect(await send({ method: "POST", body }).failure()).toMatchObject({
      kind: "requestBody",
      reason: "disk gone",
    });
    const next = send();
    await next.over;
    expect(next.calls.at(-1)).toBe("end");
  });

  // In that turn, node:http2 would write empty frames forever.
  test.each(["fails", "is cancelled"])(
    "a body that %s in the turn of a connection's first bytes closes the connection",
    async (ends) => {
      const server = await startHttp2Server((response) => response.end());
      const { send, transport, raw: socket } = await openHttp2(server.port, { speaks });
      const body = streamed(null, async function* () {
        yield Buffer.from("a");
        if (ends === "fails") throw new Error("disk gone");
        transport.cancel(posted, false);
      });
      const posted = send({ method: "POST", body });
      if (ends === "fails") {
        expect(await posted.failure()).toMatchObject({ kind: "requestBody", reason: "disk gone" });
      }
      await expect.poll(() => socket.destroyed).toBe(true);
      expect(posted.calls).not.toContain("end");
    },
  );

  test("a request that is cancelled has its stream reset; the others go on", async () => {
    const server = await startRawHttp2Server({
      answer: (id) => (id === 1 ? [raw.response(1, 200)] : []),
    });
    const { transport, send } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(1);
    const [cancelled, other] = [send(), send()];
    await server.received("HEADERS", 3);
    transport.cancel(cancelled, false);
    await server.received("RST_STREAM");
    server.sockets[0]?.write(raw.response(5, 200, "fine"));
    await other.over;
    expect(other.body).toBe("fine");
    expect(cancelled.calls).toEqual(["start", "sent"]);
    expect(transport.isIdle).toBe(true);
  });

  test("a final response ends the upload of its request", async () => {
    const server = await startRawHttp2Server({
      answer: (id) => [raw.response(id, 413, "too much"), raw.rstStream(id, "NO_ERROR")],
    });
    const { send, transport } = await openHttp2(server.port, { speaks });
    const refused = send({ method: "POST", body: Buffer.alloc(1_000_000) });
    await refused.over;
    expect(refused.head?.status).toBe(413);
    expect(refused.calls.at(-1)).toBe("end, body unsent");
    await expect.poll(() => transport.room).toBeGreaterThan(0);
  });

  test("GOAWAY fails the streams above its last, without a retry, and lets those below finish", async () => {
    const server = await startRawHttp2Server({
      answer: (id) => (id === 1 ? [raw.response(1, 200, "first")] : []),
    });
    const { transport, send, reported } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(2);
    const [below, above, alsoAbove] = [send(), send(), send()];
    await server.received("HEADERS", 4);
    server.sockets[0]?.write(raw.goaway(3, "NO_ERROR"));
    for (const one of [above, alsoAbove])
      expect(await one.failure()).toMatchObject({ kind: "goaway", cause: "NO_ERROR", isUnprocessed: true });
    server.sockets[0]?.write(raw.response(3, 200, "below"));
    await below.over;
    expect(below.body).toBe("below");
    expect(reported.filter((event) => event.startsWith("gone"))).toEqual(["gone 0"]);
    expect([server.sockets.length, server.framesOf("HEADERS").length]).toEqual([1, 4]);
  });

  test.each([
    ["before", true],
    ["after", false],
  ])("GOAWAY %s the response of its last stream does not harm it", async (_where, isFirst) => {
    const goaway = raw.goaway(3, "NO_ERROR");
    const server = await startRawHttp2Server({
      answer: (id, count) => {
        const response = raw.response(id, 200, "whole");
        if (count === 1) return [response];
        if (count < 4) return [];
        const last = raw.response(3, 200, "last");
        return [Buffer.concat(isFirst ? [goaway, last] : [last, goaway])];
      },
    });
    const { transport, send } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(2);
    const [last, ...above] = [send(), send(), send()];
    for (const one of above)
      expect(await one.failure()).toMatchObject({ kind: "goaway", isUnprocessed: true });
    await last.over;
    expect([last.body, last.calls.at(-1)]).toEqual(["last", "end"]);
  });

  test("a request that was not written before a GOAWAY came is reported as unprocessed", async () => {
    const server = await startRawHttp2Server({ answer: (id) => (id === 1 ? [raw.response(1, 200)] : []) });
    const { transport, send } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(1);
    const accepted = send();
    await server.received("HEADERS", 2);
    // This turn reads no sockets: Node writes the request at the end of the next turn, after reading.
    await new Promise<void>((resolve) => setImmediate(resolve));
    server.sockets[0]?.write(raw.goaway(2 ** 31 - 1, "NO_ERROR"));
    const unwritten = send({ method: "POST", body: Buffer.from("x") });
    expect(await unwritten.failure()).toMatchObject({ kind: "goaway", isUnprocessed: true });
    server.sockets[0]?.write(raw.response(3, 200, "accepted"));
    await accepted.over;
    expect([accepted.body, server.framesOf("HEADERS").length]).toEqual(["accepted", 2]);
  });

  test("a stream that is refused after a GOAWAY fails at once, while another goes on", async () => {
    const server = await startRawHttp2Server({ answer: (id) => (id === 1 ? [raw.response(1, 200)] : []) });
    const { transport, send } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(1);
    const [other, refused] = [send(), send()];
    await server.received("HEADERS", 3);
    server.sockets[0]?.write(
      Buffer.concat([raw.goaway(2 ** 31 - 1, "NO_ERROR"), raw.rstStream(5, "REFUSED_STREAM")]),
    );
    expect(await refused.failure()).toMatchObject({
      kind: "streamReset",
      cause: "REFUSED_STREAM",
      isUnprocessed: true,
    });
    server.sockets[0]?.write(raw.response(3, 200, "other"));
    await other.over;
    expect(other.body).toBe("other");
  });

  test("hands back a request that had not begun when it ended, unless that was its first", async () => {
    const server = await startHttp2Server((response) => response.end());
    const used = await openHttp2(server.port, { speaks });
    await used.send().over;
    used.raw.destroy();
    const second = used.send();
    await second.over;
    expect(second.calls).toEqual(["unsent"]);
    const unused = await openHttp2(server.port, { speaks });
    unused.raw.destroy();
    const first = unused.send();
    await first.over;
    expect(first.calls).toEqual(["failure"]);
  });

  test("takes no more requests after its last one, and closes when all have ended", async () => {
    const server = await startHttp2Server((response) => response.end());
    const {
      transport,
      raw: socket,
      send,
      reported,
    } = await openHttp2(server.port, { speaks, maxRequests: 2 });
    await send().over;
    await expect.poll(() => transport.room).toBe(1);
    const last = send();
    expect(reported.at(-1)).toBe("gone 0");
    await last.over;
    expect(last.calls.at(-1)).toBe("end");
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test("takes no more requests after a timeout", async () => {
    const server = await startRawHttp2Server({
      answer: (id) => (id === 1 ? [raw.response(1, 200)] : []),
    });
    const { transport, send, reported } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(0);
    const silent = send();
    await server.received("HEADERS", 2);
    transport.cancel(silent, true);
    expect([transport.room, reported.at(-1)]).toEqual([0, "gone 0"]);
  });
});

describe("http with transport undici over HTTP/2", () => {
  const undici = { ...defaultHttp, transport: "undici" } as const;

  test("a request that the server refuses is sent and counted once, and the next one succeeds", async () => {
    const server = await startRawHttp2Server({
      answer: (id, count) =>
        count === 1 ? [raw.rstStream(id, "REFUSED_STREAM")] : [raw.response(id, 200, "ok")],
    });
    const client = startClient(`http://127.0.0.1:${server.port}`, [], [], { ...undici, protocol: "h2c" });
    const { error } = await client.http.get("/");
    expect(error).toMatchObject({ code: "H2_REFUSED_STREAM" });
    expect(server.framesOf("HEADERS")).toHaveLength(1);
    expect((await client.http.get("/")).text()).toBe("ok");
    expect(client.row(ownWords`GET /`)).toMatchObject({ started: 2, sent: 2, succeeded: 1, failed: 1 });
    expect(server.framesOf("HEADERS")).toHaveLength(2);
  });

  test.skipIf(!hasOpenssl)(
    "auto finds HTTP/2 by ALPN, and one connection carries parallel requests",
    async () => {
      const server = await startHttp2Server((response, { url }) => {
        response.end("x".repeat(Number(url.slice(1))));
      }, makeCertificate("IP:127.0.0.1"));
      const tls = { ...defaultHttp.tls, insecureSkipTlsVerify: true };
      const { http, metric } = startClient(`https://127.0.0.1:${server.port}`, [], [], { ...undici, tls });
      const sizes = [0, 1, 16_384, 100_000, 3_000_000, 0, 20_000, 65_536];
      const responses = await http.batch(sizes.map((size) => ({ url: `/${size}`, name: "sizes" })));
      expect(responses.map(({ error }) => error)).toEqual(sizes.map(() => null));
      expect(responses.map((response) => response.bytes().length)).toEqual(sizes);
      expect(new Set(responses.map(({ protocol }) => protocol))).toEqual(new Set(["HTTP/2"]));
      expect(responses.filter(({ timings }) => timings.tlsHandshaking > 0)).toHaveLength(1);
      expect(metric("connections_opened")).toMatchObject({ total: 1 });
      expect(metric("http_reqs")).toMatchObject({ total: sizes.length });
    },
  );
});
