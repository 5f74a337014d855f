import { describe, expect, test } from "vitest";

import type { TransportFailureInfo } from "../../src/failures/transport-failure.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server, type Step } from "./raw-http2-server.ts";

type Answer = (streamId: number) => readonly Step[];

const ok: raw.Fields = [[":status", "200"]];
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A head that takes several frames. */
function largeHead(id: number, fields: raw.Fields): readonly Step[] {
  const block = raw.headerBlock([...ok, ...fields]);
  const pieces = many(Math.ceil(block.length / 16_384), (index) =>
    block.subarray(index * 16_384, (index + 1) * 16_384),
  );
  return pieces.map((piece, index) =>
    index === 0
      ? raw.headers(id, piece, { endHeaders: false, endStream: true })
      : raw.continuation(id, piece, index === pieces.length - 1),
  );
}

interface Fault {
  readonly name: string;
  readonly answer: Answer;
  readonly greeting?: readonly Step[];
  readonly found: Partial<TransportFailureInfo>;
}

const faults: readonly Fault[] = [
  ...(
    [
      "INTERNAL_ERROR",
      "ENHANCE_YOUR_CALM",
      "CANCEL",
      "PROTOCOL_ERROR",
      "NO_ERROR",
      "HTTP_1_1_REQUIRED",
    ] as const
  ).map((cause): Fault => ({
    name: `RST_STREAM ${cause} before a response`,
    answer: (id) => [raw.rstStream(id, cause)],
    found: { kind: "streamReset", cause, isUnprocessed: false },
  })),
  {
    name: "RST_STREAM REFUSED_STREAM",
    answer: (id) => [raw.rstStream(id, "REFUSED_STREAM")],
    found: { kind: "streamReset", cause: "REFUSED_STREAM", isUnprocessed: true },
  },
  {
    name: "RST_STREAM with an unknown code",
    answer: (id) => [raw.rstStream(id, 0xabcd)],
    found: { kind: "streamReset", cause: "0xabcd" },
  },
  ...(["NO_ERROR", "PROTOCOL_ERROR", "CANCEL"] as const).map((cause): Fault => ({
    name: `RST_STREAM ${cause} in the middle of a body`,
    answer: (id) => [
      raw.headers(id, [...ok, ["content-length", "9"]]),
      raw.data(id, "abc"),
      raw.rstStream(id, cause),
    ],
    found: { kind: "streamReset", cause },
  })),
  {
    name: "GOAWAY ENHANCE_YOUR_CALM that names the stream",
    answer: (id) => [raw.goaway(id, "ENHANCE_YOUR_CALM")],
    found: { kind: "goaway", cause: "ENHANCE_YOUR_CALM", isUnprocessed: false },
  },
  {
    name: "GOAWAY that names no stream",
    answer: () => [raw.goaway(0, "NO_ERROR")],
    found: { kind: "goaway", cause: "NO_ERROR", isUnprocessed: true },
  },
  {
    name: "GOAWAY, then the end of the connection",
    answer: (id) => [raw.goaway(id, "NO_ERROR"), "end"],
    found: { kind: "goaway", cause: "NO_ERROR", isUnprocessed: false },
  },
  { name: "the end of the connection", answer: () => ["end"], found: { kind: "closed" } },
  {
    name: "the end of the connection in the middle of a body",
    answer: (id) => [raw.headers(id, ok), raw.data(id, "abc"), "end"],
    found: { kind: "closed" },
  },
  {
    name: "a body shorter than its content-length",
    answer: (id) => [raw.response(id, 200, "hello", [["content-length", "9"]])],
    found: { kind: "protocolError", reason: "content-length is 9 bytes, but 5 arrived" },
  },
  {
    name: "a body longer than its content-length",
    answer: (id) => [raw.response(id, 200, "hello", [["content-length", "2"]])],
    found: { kind: "protocolError" },
  },
  {
    name: "a head without a status",
    answer: (id) => [raw.headers(id, [["a", "b"]], { endStream: true })],
    found: { kind: "protocolError", cause: "PROTOCOL_ERROR" },
  },
  {
    name: "a field that is for HTTP/1.1",
    answer: (id) => [raw.headers(id, [...ok, ["connection", "close"]], { endStream: true })],
    found: { kind: "protocolError" },
  },
  {
    name: "a switch of protocols",
    answer: (id) => [raw.headers(id, [[":status", "101"]])],
    found: { kind: "protocolError" },
  },
  {
    name: "a body before its head",
    answer: (id) => [raw.data(id, "x", true)],
    found: { kind: "protocolError" },
  },
  {
    name: "trailers without END_STREAM",
    answer: (id) => [raw.headers(id, ok), raw.headers(id, [["x", "y"]])],
    found: { kind: "protocolError" },
  },
  {
    name: "10,000 fields",
    answer: (id) =>
      largeHead(
        id,
        many(10_000, (index) => [`a${index}`, ""]),
      ),
    found: { kind: "headersTooLarge" },
  },
  {
    name: "fields of 80 KB",
    answer: (id) =>
      largeHead(
        id,
        many(8, (index) => [`a${index}`, "x".repeat(10_000)]),
      ),
    found: { kind: "headersTooLarge" },
  },
  {
    name: "21 interim responses",
    answer: (id) => [...many(21, () => raw.headers(id, [[":status", "103"]])), raw.response(id, 200)],
    found: { kind: "tooManyInterim" },
  },
  {
    name: "a frame larger than was allowed",
    answer: (id) => [raw.frame("DATA", 0, id, Buffer.alloc(20_000))],
    found: { kind: "protocolError" },
  },
  {
    name: "a head that is not HPACK",
    answer: (id) => [raw.headers(id, Buffer.alloc(6, 0xff))],
    found: { kind: "protocolError" },
  },
  {
    name: "HTTP/1.1",
    greeting: [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    answer: () => [],
    found: {
      kind: "protocolError",
      reason:
        'the first bytes from the server are not HTTP/2 (for a server that speaks HTTP/1.1, set protocol: "http1")',
    },
  },
  {
    name: "a push that was refused beforehand",
    answer: (id) => [raw.pushPromise(id, 2, [[":method", "GET"]])],
    found: { kind: "protocolError" },
  },
  {
    name: "a window that overflows",
    answer: (id) => [raw.windowUpdate(id, 0x7fffffff)],
    found: { kind: "protocolError" },
  },
  {
    name: "a stream that was never opened",
    answer: () => [raw.headers(99, ok)],
    found: { kind: "protocolError" },
  },
  {
    name: "5,000 PINGs at once",
    answer: (id) => [Buffer.concat(many(5000, () => raw.ping())), raw.response(id, 200)],
    found: { kind: "protocolError" },
  },
  {
    name: "5,000 SETTINGS at once",
    answer: (id) => [Buffer.concat(many(5000, () => raw.settings())), raw.response(id, 200)],
    found: { kind: "protocolError" },
  },
  {
    name: "5,000 empty DATA frames",
    answer: (id) => [raw.headers(id, ok), Buffer.concat(many(5000, () => raw.data(id)))],
    found: { kind: "protocolError" },
  },
  {
    name: "an ACK without a PING",
    answer: () => [raw.ping(Buffer.alloc(8), true)],
    found: { kind: "protocolError" },
  },
];

describe.each(["bearhug", "node:http2"] as const)("with %s", (speaks) => {
  test.each(faults)("a failure describes its cause: $name", async ({ answer, greeting, found }) => {
    const server = await startRawHttp2Server({ answer, ...(greeting === undefined ? {} : { greeting }) });
    const { send } = await openHttp2(server.port, { speaks });
    expect(await send().failure()).toMatchObject(found);
  });
});

test.skipIf(!hasOpenssl)("resets by the server and the client are distinguished over TLS, too", async () => {
  const certificate = makeCertificate("IP:127.0.0.1");
  const theirs = await startRawHttp2Server(
    { answer: (id) => [raw.rstStream(id, "PROTOCOL_ERROR")] },
    certificate,
  );
  const ours = await startRawHttp2Server({ answer: (id) => [raw.headers(id, [["a", "b"]])] }, certificate);
  const [toTheirs, toOurs] = [
    await openHttp2(theirs.port, { isSecure: true }),
    await openHttp2(ours.port, { isSecure: true }),
  ];
  expect(await toTheirs.send().failure()).toMatchObject({ kind: "streamReset", cause: "PROTOCOL_ERROR" });
  expect(await toOurs.send().failure()).toMatchObject({ kind: "protocolError", cause: "PROTOCOL_ERROR" });
});
