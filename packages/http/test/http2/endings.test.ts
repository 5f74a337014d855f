import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server, type Step } from "./raw-http2-server.ts";

const ok: raw.Fields = [[":status", "200"]];
const three: raw.Fields = [...ok, ["content-length", "3"]];

const complete: readonly { readonly name: string; readonly steps: (id: number) => readonly Step[] }[] = [
  { name: "END_STREAM with data", steps: (id) => [raw.headers(id, ok), raw.data(id, "abc", true)] },
  {
    name: "END_STREAM in an empty DATA frame",
    steps: (id) => [raw.headers(id, ok), raw.data(id, "abc"), raw.data(id, "", true)],
  },
  {
    name: "END_STREAM in an empty DATA frame, all in one packet",
    steps: (id) => [Buffer.concat([raw.headers(id, ok), raw.data(id, "abc"), raw.data(id, "", true)])],
  },
  {
    name: "END_STREAM with trailers",
    steps: (id) => [
      raw.headers(id, ok),
      raw.data(id, "abc"),
      raw.headers(id, [["x-sum", "1"]], { endStream: true }),
    ],
  },
  {
    name: "END_STREAM, then RST_STREAM NO_ERROR",
    steps: (id) => [
      Buffer.concat([raw.headers(id, ok), raw.data(id, "abc", true), raw.rstStream(id, "NO_ERROR")]),
    ],
  },
  {
    name: "RST_STREAM NO_ERROR after all bytes of content-length",
    steps: (id) => [raw.headers(id, three), raw.data(id, "abc"), raw.rstStream(id, "NO_ERROR")],
  },
];

for (const [speaks, isSecure] of [
  ["bearhug", false],
  ["bearhug", true],
  ["undici", false],
  ["undici", true],
] as const) {
  test.skipIf(isSecure && !hasOpenssl).each(complete)(
    `a response is complete with ${speaks}${isSecure ? " over TLS" : ""}: $name`,
    async ({ steps }) => {
      const certificate = isSecure ? makeCertificate("IP:127.0.0.1") : undefined;
      const server = await startRawHttp2Server({ answer: steps }, certificate);
      const { send, transport } = await openHttp2(server.port, { isSecure, speaks });
      for (let count = 0; count < 20; count++) {
        const recording = send();
        await recording.over;
        await expect.poll(() => transport.room).toBeGreaterThan(0);
        expect(recording.error).toBeNull();
        expect(recording).toMatchObject({ body: "abc", head: { status: 200 } });
      }
    },
  );
}

const incomplete: readonly {
  readonly name: string;
  readonly steps: (id: number) => readonly Step[];
  readonly found: object;
}[] = [
  {
    name: "RST_STREAM NO_ERROR, without a content-length",
    steps: (id) => [raw.headers(id, ok), raw.data(id, "abc"), raw.rstStream(id, "NO_ERROR")],
    found: {
      kind: "streamReset",
      cause: "NO_ERROR",
      reason: "RST_STREAM NO_ERROR without END_STREAM, after 3 bytes of a body of unknown length",
    },
  },
  {
    name: "RST_STREAM NO_ERROR before all bytes of content-length",
    steps: (id) => [raw.headers(id, three), raw.data(id, "ab"), raw.rstStream(id, "NO_ERROR")],
    found: {
      kind: "streamReset",
      cause: "NO_ERROR",
      reason: "RST_STREAM NO_ERROR without END_STREAM, after 2 bytes of 3",
    },
  },
  {
    name: "RST_STREAM CANCEL after all bytes of content-length",
    steps: (id) => [raw.headers(id, three), raw.data(id, "abc"), raw.rstStream(id, "CANCEL")],
    found: { kind: "streamReset", cause: "CANCEL", reason: "RST_STREAM CANCEL" },
  },
  {
    name: "the end of the connection, without a content-length",
    steps: (id) => [raw.headers(id, ok), raw.data(id, "abc"), "end"],
    found: { kind: "closed" },
  },
];

test("an interim response is not the first byte", async () => {
  const server = await startRawHttp2Server({ answer: (id) => [raw.headers(id, [[":status", "103"]])] });
  const { send } = await openHttp2(server.port);
  const recording = send();
  await server.received("HEADERS");
  await wait(30);
  expect(recording.calls).toEqual(["start", "sent"]);
  server.sockets[0]?.write(raw.response(1, 200));
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "end"]);
});

test.each([
  ["600", 600],
  ["999", 999],
])("a status of no known class is accepted: %s", async (status, number) => {
  const server = await startRawHttp2Server({
    answer: (id) => [raw.headers(id, [[":status", status]], { endStream: true })],
  });
  const { send } = await openHttp2(server.port);
  const recording = send();
  await recording.over;
  expect(recording).toMatchObject({ error: null, head: { status: number } });
});

test.each(["099", "99", "1000", "20x"])("an invalid status is refused: %s", async (status) => {
  const server = await startRawHttp2Server({
    answer: (id) => [raw.headers(id, [[":status", status]], { endStream: true })],
  });
  const { send } = await openHttp2(server.port);
  expect(await send().failure()).toMatchObject({ kind: "protocolError" });
});

describe.each(["bearhug", "node:http2", "undici"] as const)("with %s", (speaks) => {
  test.each(incomplete)("a response is not complete: $name", async ({ steps, found }) => {
    const server = await startRawHttp2Server({ answer: steps });
    for (let count = 0; count < 10; count++) {
      const { send } = await openHttp2(server.port, { speaks });
      const recording = send();
      expect(await recording.failure()).toMatchObject(found);
      expect(recording.calls).toContain("head");
    }
  });
});
