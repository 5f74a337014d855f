import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { decodeBlock } from "../hpack/decode.ts";
import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server, type RawHttp2Server } from "./raw-http2-server.ts";

const bodyBytes = 40_000;
const bytesIn = (server: RawHttp2Server): number =>
  server.framesOf("DATA").reduce((sum, { payload }) => sum + payload.length, 0);

/** Sends SETTINGS, and waits until the client has acknowledged them. */
async function change(server: RawHttp2Server, settings: raw.Settings): Promise<void> {
  const acks = server.frames.filter(({ type, flags }) => type === "SETTINGS" && flags === 1).length;
  server.sockets[0]?.write(raw.settings(settings));
  await expect
    .poll(() => server.frames.filter(({ type, flags }) => type === "SETTINGS" && flags === 1).length)
    .toBe(acks + 1);
}

describe.each(["bearhug", "undici"] as const)("SETTINGS in mid-run, with %s", (speaks) => {
  test("that shrink the header table apply to the next head", async () => {
    const server = await startRawHttp2Server({ answer: (id) => [raw.response(id, 200, "ok")] });
    const { send } = await openHttp2(server.port, { speaks });
    const headers = ["x-kept", "a value that both sides would keep"];
    await send({ headers }).over;
    await send({ headers }).over;
    await change(server, { headerTableSize: 0 });
    const after = send({ headers });
    await after.over;
    expect(after.calls.at(-1)).toBe("end");
    const block = server.framesOf("HEADERS").at(-1)?.payload ?? Buffer.alloc(0);
    // "Dynamic Table Size Update" to 0 (RFC 7541, section 6.3).
    expect(block[0]).toBe(0x20);
    expect(decodeBlock(block)).toContain("a value that both sides would keep");
  });

  test("that shrink the window hold an upload until there is room again", async () => {
    const server = await startRawHttp2Server({
      greeting: [raw.settings({ initialWindowSize: 10_000 }), raw.settingsAck()],
      answer: (id, count) => (count === 1 ? [raw.response(id, 200)] : []),
    });
    const { send } = await openHttp2(server.port, { speaks });
    await send().over;
    const upload = send({ method: "POST", body: Buffer.alloc(bodyBytes) });
    await expect.poll(() => bytesIn(server)).toBe(10_000);
    // The window is now -5,000.
    await change(server, { initialWindowSize: 5000 });
    const id = server.framesOf("HEADERS")[1]?.streamId ?? 0;
    server.sockets[0]?.write(raw.windowUpdate(id, 5000));
    await sleep(30);
    expect(bytesIn(server)).toBe(10_000);
    server.sockets[0]?.write(raw.windowUpdate(id, bodyBytes));
    await expect.poll(() => bytesIn(server)).toBe(bodyBytes);
    server.sockets[0]?.write(raw.response(id, 200, "took it"));
    await upload.over;
    expect([upload.body, upload.calls.at(-1)]).toEqual(["took it", "end"]);
  });

  test("that allow fewer streams end none, and hold back new ones", async () => {
    const server = await startRawHttp2Server({
      answer: (id, count) => (count === 1 ? [raw.response(id, 200)] : []),
    });
    const { send, transport } = await openHttp2(server.port, { speaks });
    await send().over;
    await expect.poll(() => transport.room).toBeGreaterThan(3);
    const three = [send(), send(), send()];
    await server.received("HEADERS", 4);
    await change(server, { maxConcurrentStreams: 1 });
    // undici queues a further request itself; for bearhug's own client, the pool does.
    const further = speaks === "undici" ? send() : null;
    await sleep(30);
    if (speaks === "bearhug") expect(transport.room).toBe(0);
    expect(server.framesOf("HEADERS")).toHaveLength(4);
    const ids = server
      .framesOf("HEADERS")
      .slice(1)
      .map(({ streamId }) => streamId);
    for (const id of ids.slice(0, 2)) server.sockets[0]?.write(raw.response(id, 200, "ok"));
    await Promise.all([three[0]?.over, three[1]?.over]);
    expect(server.framesOf("HEADERS")).toHaveLength(4);
    server.sockets[0]?.write(raw.response(ids[2] ?? 0, 200, "ok"));
    await three[2]?.over;
    expect(three.map(({ body }) => body)).toEqual(["ok", "ok", "ok"]);
    if (further === null) await expect.poll(() => transport.room).toBe(1);
    else await server.received("HEADERS", 5);
  });

  test("a hundred times in a row are all acknowledged, and fail no request", async () => {
    const server = await startRawHttp2Server({
      answer: (id) => [
        ...Array.from({ length: 100 }, (_none, at) => raw.settings({ maxFrameSize: 16_384 + at })),
        raw.response(id, 200, "ok"),
      ],
    });
    const { send } = await openHttp2(server.port, { speaks });
    const only = send();
    await only.over;
    expect(only.body).toBe("ok");
    await expect
      .poll(() => server.frames.filter(({ type, flags }) => type === "SETTINGS" && flags === 1).length)
      .toBe(101);
  });
});
