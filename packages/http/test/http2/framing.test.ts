import { expect, test } from "vitest";

import type { StreamedBody } from "../../src/transport/wire-body.ts";
import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server, type Step } from "./raw-http2-server.ts";

const ok: raw.Fields = [[":status", "200"]];
const endHeaders = 4;

const odd: readonly { readonly name: string; readonly steps: (id: number) => readonly Step[] }[] = [
  {
    name: "a frame of an unknown type",
    steps: (id) => [raw.frame(0xbe, 255, id, Buffer.from("?")), raw.response(id, 200, "fine")],
  },
  {
    name: "a head with padding and a priority",
    steps: (id) => [
      raw.frame(
        "HEADERS",
        endHeaders | 8 | 32,
        id,
        Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 16]), raw.headerBlock(ok), Buffer.alloc(3)]),
      ),
      raw.data(id, "fine", true),
    ],
  },
  {
    name: "data with padding, a byte at a time",
    steps: (id) => [
      raw.headers(id, ok),
      ...[...raw.frame("DATA", 9, id, Buffer.from("\x02fine\0\0"))].map((byte) => Buffer.from([byte])),
    ],
  },
  {
    name: "a head in three frames",
    steps: (id) => [
      raw.headers(id, Buffer.alloc(0), { endHeaders: false }),
      raw.continuation(id, raw.headerBlock(ok), false),
      raw.continuation(id, raw.headerBlock([["x-a", "1"]])),
      raw.data(id, "fine", true),
    ],
  },
  {
    name: "PRIORITY, PING and SETTINGS between head and body",
    steps: (id) => [
      raw.headers(id, ok),
      raw.frame("PRIORITY", 0, id, Buffer.alloc(5)),
      raw.ping(),
      raw.settings({ headerTableSize: 0, maxFrameSize: 65_536, initialWindowSize: 10 }),
      raw.data(id, "fine", true),
    ],
  },
  {
    name: "a RST_STREAM and a WINDOW_UPDATE for a stream that has ended",
    steps: (id) => [
      ...(id > 1 ? [raw.rstStream(id - 2, "CANCEL"), raw.windowUpdate(id - 2, 9)] : []),
      raw.response(id, 200, "fine"),
    ],
  },
];

test.each(odd)("is accepted: $name", async ({ steps }) => {
  const server = await startRawHttp2Server({ answer: steps });
  const { send } = await openHttp2(server.port);
  for (let count = 0; count < 3; count++) {
    const recording = send();
    await recording.over;
    expect(recording).toMatchObject({ error: null, body: "fine" });
  }
});

test.each([
  ["a second head", (id: number) => [raw.headers(id, ok), raw.headers(id, ok, { endStream: true })]],
  ["two statuses", (id: number) => [raw.headers(id, [...ok, ...ok], { endStream: true })]],
  ["a name in upper case", (id: number) => [raw.headers(id, [...ok, ["X-A", "1"]], { endStream: true })]],
  [
    "a line break in a value",
    (id: number) => [raw.headers(id, [...ok, ["x-a", "1\n2"]], { endStream: true })],
  ],
  ["a space before a value", (id: number) => [raw.headers(id, [...ok, ["x-a", " 1"]], { endStream: true })]],
  [
    "two lengths",
    (id: number) => [
      raw.headers(id, [...ok, ["content-length", "0"], ["content-length", "0"]], { endStream: true }),
    ],
  ],
  ["a body of 204", (id: number) => [raw.headers(id, [[":status", "204"]]), raw.data(id, "x", true)]],
  [
    "an interim head that ends the stream",
    (id: number) => [raw.headers(id, [[":status", "103"]], { endStream: true })],
  ],
  ["a WINDOW_UPDATE of 0", (id: number) => [raw.windowUpdate(id, 0)]],
])("%s resets its stream, and nothing else", async (_what, steps) => {
  const server = await startRawHttp2Server({
    answer: (id) => (id === 3 ? steps(id) : [raw.response(id, 200, "fine")]),
  });
  const { send, transport } = await openHttp2(server.port);
  await send().over;
  const [bad, good] = [send(), send()];
  expect(await bad.failure()).toMatchObject({ kind: "protocolError", cause: "PROTOCOL_ERROR" });
  await good.over;
  expect(good.body).toBe("fine");
  await server.received("RST_STREAM");
  expect(server.framesOf("RST_STREAM")).toMatchObject([{ streamId: 3, payload: Buffer.from([0, 0, 0, 1]) }]);
  expect(transport.room).toBeGreaterThan(0);
});

test.each([
  ["more data on a stream that has ended", "STREAM_CLOSED", [raw.data(1, "more")]],
  ["another head on a stream that has ended", "STREAM_CLOSED", [raw.headers(1, ok)]],
  ["a stream that the server opens", "PROTOCOL_ERROR", [raw.headers(2, ok)]],
  ["data on stream 0", "PROTOCOL_ERROR", [raw.data(0, "x")]],
  ["settings that allow a push", "PROTOCOL_ERROR", [raw.settings({ enablePush: 1 })]],
  ["a maximum frame size below the minimum", "PROTOCOL_ERROR", [raw.settings({ maxFrameSize: 100 })]],
  ["a window that is too large", "FLOW_CONTROL_ERROR", [raw.settings({ initialWindowSize: 2 ** 31 })]],
  ["a window of the connection that is too large", "FLOW_CONTROL_ERROR", [raw.windowUpdate(0, 2 ** 31 - 1)]],
  ["SETTINGS of a wrong length", "FRAME_SIZE_ERROR", [raw.frame("SETTINGS", 0, 0, Buffer.alloc(5))]],
  ["a PING of 7 bytes", "FRAME_SIZE_ERROR", [raw.ping(Buffer.alloc(7))]],
  ["a CONTINUATION without a head", "PROTOCOL_ERROR", [raw.continuation(1, Buffer.alloc(0))]],
  [
    "a frame in the middle of a head",
    "PROTOCOL_ERROR",
    [raw.headers(3, ok, { endHeaders: false }), raw.ping()],
  ],
  [
    "an index that HPACK does not have",
    "COMPRESSION_ERROR",
    [raw.headers(3, Buffer.from([0xff, 0xff, 0x03]))],
  ],
] as const)("%s ends the connection with %s", async (_what, code, steps) => {
  const server = await startRawHttp2Server({
    answer: (id) => (id === 1 ? [raw.response(1, 200, "first")] : steps),
  });
  const { send, transport } = await openHttp2(server.port);
  await send().over;
  const [one, other] = [send(), send()];
  expect(await one.failure()).toMatchObject({ kind: "protocolError", cause: code });
  expect(await other.failure()).toMatchObject({ kind: "protocolError", cause: code });
  expect(transport.room).toBe(0);
  await server.received("GOAWAY");
  expect(server.framesOf("GOAWAY")[0]?.payload.readUInt32BE(4)).toBe(raw.errorCodes[code]);
});

test("a PING is answered with its own bytes", async () => {
  const server = await startRawHttp2Server({ answer: () => [raw.ping(Buffer.from("12345678"))] });
  const { send } = await openHttp2(server.port);
  send();
  await server.received("PING");
  expect(server.framesOf("PING")[0]).toMatchObject({ flags: 1, payload: Buffer.from("12345678") });
});

test("flow-control credit is returned as a body comes, and withheld while it is paused", async () => {
  const piece = raw.data(1, Buffer.alloc(16_384));
  const server = await startRawHttp2Server({ answer: (id) => [raw.headers(id, ok)] });
  const { send, transport } = await openHttp2(server.port);
  const recording = send();
  await expect.poll(() => recording.calls).toContain("head");
  const updates = (): number[] =>
    server
      .framesOf("WINDOW_UPDATE")
      .filter(({ streamId }) => streamId === 1)
      .map(({ payload }) => payload.readUInt32BE());
  server.sockets[0]?.write(Buffer.concat(Array.from({ length: 32 }, () => piece)));
  await expect.poll(updates).toEqual([32 * 16_384]);
  transport.pause(recording);
  server.sockets[0]?.write(Buffer.concat(Array.from({ length: 40 }, () => piece)));
  await expect.poll(() => recording.body.length).toBe(72 * 16_384);
  expect(updates()).toHaveLength(1);
  transport.resume(recording);
  await expect.poll(updates).toEqual([32 * 16_384, 40 * 16_384]);
  transport.pause(recording);
  server.sockets[0]?.write(Buffer.concat(Array.from({ length: 65 }, () => piece)));
  expect(await recording.failure()).toMatchObject({ kind: "protocolError", cause: "FLOW_CONTROL_ERROR" });
});

test("uploads share the connection's window in turn, in frames no larger than the server allows", async () => {
  const server = await startRawHttp2Server({
    greeting: [raw.settings({ initialWindowSize: 1_000_000 }), raw.settingsAck()],
    answer: (id) => (id === 1 ? [raw.response(1, 200)] : []),
  });
  const { send } = await openHttp2(server.port);
  await send().over;
  const bodies = [Buffer.alloc(60_000, "a"), Buffer.alloc(60_000, "b")];
  const [first, second] = bodies.map((body) => send({ method: "POST", body }));
  const sentOn = (id: number): number =>
    server
      .framesOf("DATA")
      .filter(({ streamId }) => streamId === id)
      .reduce((sum, { payload }) => sum + payload.length, 0);
  await expect.poll(() => sentOn(3) + sentOn(5)).toBe(65_535);
  expect(first?.calls).toEqual(["start", "sent"]);
  expect(second?.calls).toEqual(["start"]);
  server.sockets[0]?.write(raw.windowUpdate(0, 60_000));
  await expect.poll(() => sentOn(5)).toBe(60_000);
  expect(second?.calls).toEqual(["start", "sent"]);
  expect(Math.max(...server.framesOf("DATA").map(({ payload }) => payload.length))).toBe(16_384);
  const last = server.framesOf("DATA").filter(({ flags }) => flags === 1);
  expect(last.map(({ streamId }) => streamId)).toEqual([3, 5]);
});

test("a body in large and small pieces arrives unchanged", async () => {
  const server = await startRawHttp2Server({
    greeting: [raw.settings({ initialWindowSize: 1_000_000 }), raw.windowUpdate(0, 1_000_000)],
    answer: (id) => (id === 1 ? [raw.response(1, 200)] : []),
  });
  const { send } = await openHttp2(server.port);
  await send().over;
  const pieces = [5000, 10, 40_000, 1, 70_000].map((size, index) => Buffer.alloc(size, index + 1));
  const body: StreamedBody = {
    length: null,
    isRepeatable: true,
    async *open() {
      yield* pieces;
    },
  };
  send({ method: "POST", body });
  await expect.poll(() => server.framesOf("DATA").at(-1)?.flags).toBe(1);
  const arrived = Buffer.concat(server.framesOf("DATA").map(({ payload }) => payload));
  expect(arrived.equals(Buffer.concat(pieces))).toBe(true);
});

test("headers larger than a frame are continued", async () => {
  const server = await startRawHttp2Server({ answer: (id) => [raw.response(id, 200)] });
  const { send } = await openHttp2(server.port);
  const recording = send({ headers: ["x-a", "\x01".repeat(20_000)] });
  await recording.over;
  expect(recording.error).toBeNull();
  const [head] = server.framesOf("HEADERS");
  expect(head?.flags).toBe(1);
  expect(server.framesOf("CONTINUATION").at(-1)?.flags).toBe(4);
});
