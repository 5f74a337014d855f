import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server, type Step } from "./raw-http2-server.ts";

const ok: raw.Fields = [[":status", "200"]];
/** Waits for the client's acknowledgement, so that it is not still being written at the reset. */
const settled: Step = { awaits: "SETTINGS" };

test("a reset of the connection is the system's error", async () => {
  const server = await startRawHttp2Server({ answer: (id) => [raw.headers(id, ok), settled, "reset"] });
  const recording = (await openHttp2(server.port)).send();
  await recording.over;
  expect(recording.error).toMatchObject({ code: "ECONNRESET" });
});

test("GOAWAY fails the streams above its last and lets those below finish", async () => {
  const server = await startRawHttp2Server({
    answer: (id) => (id === 1 ? [raw.response(1, 200, "first")] : []),
  });
  const { transport, send, reported } = await openHttp2(server.port);
  await send().over;
  const [below, above] = [send(), send()];
  await server.received("HEADERS", 3);
  server.sockets[0]?.write(Buffer.concat([raw.goaway(3, "NO_ERROR"), raw.response(3, 200, "below")]));
  expect(await above.failure()).toMatchObject({ kind: "goaway", cause: "NO_ERROR", isUnprocessed: true });
  await below.over;
  expect(below.body).toBe("below");
  expect(transport.room).toBe(0);
  expect(reported.filter((event) => event.startsWith("gone"))).toEqual(["gone 0"]);
  expect(await send().failure()).toMatchObject({ kind: "goaway", isUnprocessed: true });
});

test("other streams outlive the reset of one", async () => {
  const server = await startRawHttp2Server({
    answer: (id) =>
      id === 3
        ? [raw.rstStream(3, "INTERNAL_ERROR"), raw.response(5, 200, "fine")]
        : id === 1
          ? [raw.response(1, 200)]
          : [],
  });
  const { send, transport } = await openHttp2(server.port);
  await send().over;
  const [, other] = [send(), send()];
  await other.over;
  expect(other.body).toBe("fine");
  expect(transport.isIdle).toBe(true);
});

test("missing SETTINGS hold up only the second request", async () => {
  const server = await startRawHttp2Server({ greeting: [] });
  const { transport, send } = await openHttp2(server.port);
  expect(transport.room).toBe(1);
  const waiting = send();
  await server.received("HEADERS");
  expect(transport.room).toBe(0);
  expect(waiting.calls).toEqual(["start", "sent"]);
});

test("streams that the server forbids wait until it allows them", async () => {
  const server = await startRawHttp2Server({
    greeting: [raw.settings({ maxConcurrentStreams: 0 }), raw.settingsAck()],
  });
  const { transport, reported, send } = await openHttp2(server.port);
  const first = send();
  await server.received("SETTINGS", 2);
  expect(transport.room).toBe(0);
  server.sockets[0]?.write(Buffer.concat([raw.settings({ maxConcurrentStreams: 2 }), raw.response(1, 200)]));
  await first.over;
  expect(reported).toEqual(["room 1", "room 2"]);
});

test("a window of 0 keeps a request in the sending phase; once cancelled, it has no more events", async () => {
  const server = await startRawHttp2Server({
    greeting: [raw.settings({ initialWindowSize: 0 }), raw.settingsAck()],
    answer: (id) => (id === 1 ? [raw.response(1, 200)] : []),
  });
  const { transport, send } = await openHttp2(server.port);
  await send().over;
  const stalled = send({ method: "POST", body: Buffer.alloc(1000) });
  await server.received("HEADERS", 2);
  expect(stalled.calls).toEqual(["start"]);
  transport.cancel(stalled, false);
  await server.received("RST_STREAM");
  expect(server.framesOf("RST_STREAM")[0]?.payload.readUInt32BE()).toBe(raw.errorCodes.CANCEL);
  expect(server.framesOf("DATA")).toEqual([]);
  expect(stalled.calls).toEqual(["start"]);
  expect(transport.isIdle).toBe(true);
});

test("a final response ends the upload of its request", async () => {
  const server = await startRawHttp2Server({
    answer: (id) => [raw.response(id, 413, "too much"), raw.rstStream(id, "NO_ERROR")],
  });
  const { send, transport } = await openHttp2(server.port);
  const refused = send({ method: "POST", body: Buffer.alloc(1_000_000) });
  await refused.over;
  expect(refused.head?.status).toBe(413);
  expect(refused.calls.at(-1)).toBe("end, body unsent");
  expect(transport.room).toBeGreaterThan(0);
});

test("endless headers are refused, and collecting their remains does not crash Node", async () => {
  const piece = raw.headerBlock([["a", "b".repeat(1000)]]);
  const server = await startRawHttp2Server({
    answer: (id) => [
      raw.headers(id, ok, { endHeaders: false }),
      ...Array.from({ length: 50 }, () => raw.continuation(id, piece, false)),
    ],
  });
  for (let round = 0; round < 3; round++) {
    const connections = await Promise.all(Array.from({ length: 20 }, () => openHttp2(server.port)));
    const failures = await Promise.all(connections.map(({ send }) => send().failure()));
    expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(["protocolError"]));
    await collectGarbage();
  }
});

/** Collects garbage: Node aborts then, not when the frames come. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) {
    await wait(20);
    collect();
  }
}
