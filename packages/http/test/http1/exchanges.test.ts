import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { describe, expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { openHttp1, Recording, type OpenedHttp1 } from "./open-http1.ts";

const answer = (body: string, headers = ""): string =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;

async function requestReceived({ receivedText }: OpenedHttp1): Promise<void> {
  await eventually(() => {
    expect(receivedText()).toContain("\r\n\r\n");
  });
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536));
}
const upload = { method: "POST", body: { length: null, isRepeatable: true, open: endless } };

describe("a connection", () => {
  test("carries one request after the other, and reports the phases of its opening once", async () => {
    const opened = await openHttp1();
    const { transport, peer, send, reported } = opened;
    peer.on("data", () => peer.write(answer("ok")));
    for (let time = 1; time <= 3; time++) {
      const recording = send();
      expect([transport.room, transport.isIdle]).toEqual([0, false]);
      await recording.over;
      expect(recording).toMatchObject({ body: "ok", surplus: 0 });
      expect([transport.room, transport.isIdle, transport.carried]).toEqual([1, true, time]);
    }
    expect(transport.takeOpeningPhases()).toMatchObject({ connecting: 1 });
    expect(transport.takeOpeningPhases()).toBeNull();
    const { sent, received } = transport.takeBytes();
    expect([sent, received]).toEqual([peer.bytesRead, peer.bytesWritten]);
    expect(transport.takeBytes()).toEqual({ sent: 0, received: 0 });
    expect(reported).toEqual([]);
  });

  test.each([
    ["a response has connection: close", answer("", "connection: x, Close\r\n"), {}],
    ["a response is of HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n", {}],
    ["the request has connection: close", answer(""), { headers: ["connection", "Close"] }],
  ])("ends when %s", async (_what, response, request) => {
    const { transport, peer, send, reported } = await openHttp1();
    peer.on("data", () => peer.write(response));
    await send(request).over;
    expect([transport.room, reported]).toEqual([0, ["gone"]]);
    if (!peer.closed) await once(peer, "close");
  });

  test("stays open after an HTTP/1.0 response with keep-alive", async () => {
    const { transport, peer, send } = await openHttp1();
    peer.on("data", () =>
      peer.write("HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n"),
    );
    await send().over;
    expect(transport.room).toBe(1);
  });

  test.each([
    ["ends it", (peer: OpenedHttp1["peer"]) => peer.end()],
    ["resets it", (peer: OpenedHttp1["peer"]) => peer.resetAndDestroy()],
  ])("is gone when the server %s while it is idle", async (_what, act) => {
    const { transport, peer, send, reported } = await openHttp1();
    peer.once("data", () => peer.write(answer("ok")));
    const recording = send();
    await recording.over;
    act(peer);
    await eventually(() => {
      expect(reported).toEqual(["gone"]);
    });
    expect(transport.room).toBe(0);
    expect(recording.calls.at(-1)).toBe("end");
  });

  test("is gone when the server sends unrequested bytes while it is idle, which are reported", async () => {
    const { transport, peer, send, reported } = await openHttp1();
    peer.once("data", () => peer.write(answer("ok")));
    const recording = send();
    await recording.over;
    peer.write(answer("old"));
    await eventually(() => {
      expect(reported).toEqual(["gone", `${answer("old").length} unrequested after GET /`]);
    });
    expect(transport.room).toBe(0);
    expect(recording.calls.at(-1)).toBe("end");
  });

  test("is dropped with the bytes that follow a response, which are counted", async () => {
    const { transport, peer, send, reported } = await openHttp1();
    peer.once("data", () => peer.write(answer("ok") + answer("foreign")));
    const recording = send();
    await recording.over;
    expect(recording).toMatchObject({ body: "ok", surplus: answer("foreign").length });
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "surplus", "end"]);
    expect([transport.room, reported]).toEqual([0, ["gone"]]);
  });

  test("is reused until a second before the keep-alive timeout, which each response restarts", async () => {
    let nowMs = 1000;
    const clock: Clock = { ...systemClock, now: () => nowMs, latest: () => nowMs };
    const { transport, peer, send } = await openHttp1({ clock });
    let headers = "Keep-Alive: max=9, timeout=5\r\n";
    peer.on("data", () => peer.write(answer("", headers)));
    await send().over;
    expect(transport.room).toBe(1);
    nowMs = 4999;
    expect(transport.room).toBe(1);
    headers = "";
    await send().over;
    nowMs = 8998;
    expect(transport.room).toBe(1);
    nowMs = 8999;
    expect(transport.room).toBe(0);
  });
});

describe("a request that is cancelled", () => {
  test.each(["start", "sent", "first byte", "head", "body"])(
    "at its %s event gets no more events, and takes its connection with it",
    async (event) => {
      const { transport, peer, send, reported } = await openHttp1();
      peer.once("data", () => peer.write(answer("some body")));
      const recording: Recording = new Recording((call) => {
        if (call === event) transport.cancel(recording);
      });
      send({}, recording);
      if (!peer.closed) await once(peer, "close");
      await wait(10);
      expect(recording.calls.at(-1)).toBe(event);
      expect([transport.room, transport.isIdle, reported]).toEqual([0, true, ["gone"]]);
    },
  );

  test("while its body is sent stops reading the body", async () => {
    let isClosed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* endless();
      } finally {
        isClosed = true;
      }
    }
    const { transport, send, reported } = await openHttp1({ isDeaf: true });
    const recording = send({ method: "POST", body: { length: null, isRepeatable: true, open: watched } });
    await wait(50);
    transport.cancel(recording);
    await eventually(() => {
      expect(isClosed).toBe(true);
    });
    expect([recording.calls, reported]).toEqual([["start"], ["gone"]]);
  });

  test("after it has ended leaves the connection and the next request alone", async () => {
    const { transport, peer, send } = await openHttp1();
    peer.on("data", () => peer.write(answer("ok")));
    const first = send();
    await first.over;
    transport.cancel(first);
    const second = send();
    transport.cancel(first);
    await second.over;
    expect([second.body, transport.room]).toEqual(["ok", 1]);
  });
});

test("the next request may be sent as the last one ends", async () => {
  const { peer, send } = await openHttp1();
  let count = 0;
  peer.on("data", () => peer.write(answer(`body ${++count}`)));
  const second = new Recording();
  const first = new Recording((call) => {
    if (call === "end") send({}, second);
  });
  send({}, first);
  await second.over;
  expect([first.body, second.body]).toEqual(["body 1", "body 2"]);
});

describe("a response before the body is sent", () => {
  test("is accepted, and ends the connection and the upload", async () => {
    const { peer, send, reported } = await openHttp1({ isDeaf: true });
    const recording = send(upload);
    await wait(30);
    peer.write(answer("too large"));
    await recording.over;
    expect(recording.calls).toEqual(["start", "first byte", "head", "body", "end, body unsent"]);
    expect([recording.body, reported]).toEqual(["too large", ["gone"]]);
  });

  test("is received even if the server then resets the connection as the next piece is sent", async () => {
    for (let time = 0; time < 10; time++) {
      const { peer, send } = await openHttp1({ isDeaf: true });
      let goOn = (): void => {};
      async function* open(): AsyncGenerator<Uint8Array> {
        for (;;) {
          yield Buffer.alloc(400_000);
          await new Promise<void>((resolve) => (goOn = resolve));
        }
      }
      const recording = send({ method: "POST", body: { length: null, isRepeatable: true, open } });
      await wait(10);
      peer.write(answer("too large"));
      // Bytes of the upload are unread, so this resets the connection.
      peer.destroy();
      goOn();
      await recording.over;
      expect(recording.error).toBeNull();
      expect([recording.body, recording.calls.at(-1)]).toEqual(["too large", "end, body unsent"]);
    }
  });

  test("that never comes is the system's error if the server resets the connection", async () => {
    const { peer, send } = await openHttp1();
    const recording = send(upload);
    peer.once("data", () => peer.resetAndDestroy());
    await recording.over;
    expect(recording.error).toMatchObject({
      code: expect.stringMatching(/^(?:EPIPE|ECONNRESET)$/) as string,
    });
    expect(recording.calls).toEqual(["start", "failure"]);
  });
});

test("connections whose bytes interleave in shared memory never see each other's", async () => {
  const letters = ["a", "b", "c", "d"];
  const opened = await Promise.all(letters.map(async () => openHttp1()));
  const recordings = opened.map(({ send }) => send());
  await Promise.all(opened.map(requestReceived));
  const pieces = 200;
  for (const [index, { peer }] of opened.entries())
    peer.write(`HTTP/1.1 200 OK\r\nx-own: ${letters[index] ?? ""}\r\ncontent-len`);
  await wait(5);
  for (const { peer } of opened) peer.write(`gth: ${pieces * 100}\r\n\r\n`);
  for (let piece = 0; piece < pieces; piece++) {
    for (const [index, { peer }] of opened.entries()) peer.write((letters[index] ?? "").repeat(100));
    await wait(0);
  }
  await Promise.all(recordings.map(async ({ over }) => over));
  for (const [index, { body, head }] of recordings.entries()) {
    expect(head?.rawHeaders()[1]).toBe(letters[index]);
    expect(body).toBe((letters[index] ?? "").repeat(pieces * 100));
  }
});

describe("the end of the connection", () => {
  test.each([
    ["before any byte", "", ["start", "sent", "failure"]],
    ["within the first bytes of the head", "HTTP/1.1 ", ["start", "sent", "first byte", "failure"]],
    ["within the head", "HTTP/1.1 2", ["start", "sent", "first byte", "failure"]],
    [
      "within the body",
      answer("ok").slice(0, -1),
      ["start", "sent", "first byte", "head", "body", "failure"],
    ],
    [
      "within a chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\no",
      ["start", "sent", "first byte", "head", "body", "failure"],
    ],
    [
      "after a body that it ends",
      "HTTP/1.1 200 OK\r\n\r\nok",
      ["start", "sent", "first byte", "head", "body", "end"],
    ],
  ])("%s", async (_where, bytes, calls) => {
    const { transport, peer, send, reported } = await openHttp1();
    peer.once("data", () => peer.end(bytes));
    const recording = send();
    await recording.over;
    expect(recording.calls).toEqual(calls);
    if (calls.at(-1) === "failure") expect(recording.error).toMatchObject({ info: { kind: "closed" } });
    expect([transport.room, reported]).toEqual([0, ["gone"]]);
  });

  test("by the client fails the request that is under way", async () => {
    const opened = await openHttp1();
    const recording = opened.send();
    await requestReceived(opened);
    opened.transport.close();
    expect(recording.calls).toEqual(["start", "sent", "failure"]);
    opened.transport.close();
    expect([recording.calls.length, opened.reported]).toEqual([3, ["gone"]]);
  });
});
