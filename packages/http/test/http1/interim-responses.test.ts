import { setTimeout as wait } from "node:timers/promises";

import { expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { openHttp1 } from "./open-http1.ts";

const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

test.each([
  ["whole", [interim]],
  ["in two pieces", [interim.slice(0, 20), interim.slice(20)]],
  ["cut in its first bytes", [interim.slice(0, 9), interim.slice(9, 10), interim.slice(10)]],
  ["100 and 103", ["HTTP/1.1 100\r\n\r\n", interim]],
])("an interim response is not the first byte: %s", async (_how, pieces) => {
  const { peer, send, transport } = await openHttp1();
  const recording = send();
  let received = 0;
  for (const piece of pieces) {
    peer.write(piece);
    received += piece.length;
    await eventually(() => {
      expect(peer.bytesWritten).toBe(received);
    });
    await wait(10);
  }
  expect(transport.takeBytes().received).toBe(received);
  expect(recording.calls).toEqual(["start", "sent"]);
  peer.write(answer.slice(0, 10));
  await eventually(() => {
    expect(recording.calls).toEqual(["start", "sent", "first byte"]);
  });
  peer.write(answer.slice(10));
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
});

test("byte by byte, an interim response is not the first byte; the final response's is timed when it came", async () => {
  const { peer, send } = await openHttp1();
  const recording = send();
  const write = async (text: string): Promise<void> => {
    for (const byte of text) {
      peer.write(byte, "latin1");
      await wait(2);
    }
  };
  await write(interim);
  expect(recording.calls).toEqual(["start", "sent"]);
  const beganAt = performance.now();
  await write(answer.slice(0, 9));
  const nineBytesAt = performance.now();
  expect(recording.calls).toEqual(["start", "sent"]);
  await write(answer.slice(9));
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
  expect(recording.firstByteAt).toBeGreaterThanOrEqual(beganAt);
  expect(recording.firstByteAt).toBeLessThan(nineBytesAt);
});

test("the beginning of the final response after an interim one is the first byte", async () => {
  const { peer, send } = await openHttp1();
  const recording = send();
  peer.write(interim + answer.slice(0, 12));
  await eventually(() => {
    expect(recording.calls).toEqual(["start", "sent", "first byte"]);
  });
  peer.write(answer.slice(12));
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
});

test("a connection that ends after an interim response had no first byte", async () => {
  const { peer, send } = await openHttp1();
  const recording = send();
  peer.end(interim);
  await recording.over;
  expect(recording.calls).toEqual(["start", "sent", "failure"]);
});
