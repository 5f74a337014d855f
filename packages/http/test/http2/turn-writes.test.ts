import { expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";
import { TurnWrites } from "../../src/transport/turn-writes.ts";
import { startHttp2Server } from "./http2-server.ts";
import { openHttp2 } from "./open-http2.ts";
import { goaway } from "./raw-frames.ts";
import { startRawHttp2Server } from "./raw-http2-server.ts";

/** Opens two connections. The turn's first request is on one, so that the first of the other waits. */
async function openWaiting() {
  const clock = new FakeClock();
  const writes = new TurnWrites(clock);
  const server = await startRawHttp2Server({});
  const first = await openHttp2(server.port, { clock, writes });
  const opened = await openHttp2(server.port, { clock, writes });
  // The server announces how many streams it allows before there are any.
  await clock.runTo(1);
  await server.received("SETTINGS", 4);
  first.send();
  const recording = opened.send();
  expect(recording.calls).toEqual([]);
  return { clock, server, opened, recording };
}

test("the only request of a connection begins, and is sent, when it is written", async () => {
  const { clock, server, opened, recording } = await openWaiting();
  expect([opened.transport.isIdle, opened.transport.carried]).toEqual([false, 0]);
  await clock.runTo(2);
  expect(recording.calls).toEqual(["start", "sent"]);
  await server.received("HEADERS", 2);
  expect(opened.transport.carried).toBe(1);
});

test("a second request does not overtake the first", async () => {
  const clock = new FakeClock();
  const writes = new TurnWrites(clock);
  const server = await startHttp2Server((response) => response.end());
  const other = await openHttp2(server.port, { clock, writes });
  const opened = await openHttp2(server.port, { clock, writes });
  await clock.runTo(1);
  await eventually(() => {
    expect([other.transport.room, opened.transport.room]).toEqual([100, 100]);
  });
  other.send({ path: "/other" });
  const first = opened.send({ path: "/first" });
  const second = opened.send({ path: "/second" });
  expect([first.calls, second.calls]).toEqual(Array(2).fill(["start", "sent"]));
  await clock.runTo(2);
  await Promise.all([first.over, second.over]);
  const paths = server.heads.map((head) => head[":path"]).filter((path) => path !== "/other");
  expect(paths).toEqual(["/first", "/second"]);
});

test("a request that is cancelled before it is written is never sent, and frees its place", async () => {
  const { clock, server, opened, recording } = await openWaiting();
  const room = opened.transport.room;
  opened.transport.cancel(recording, false);
  expect([opened.transport.room, opened.transport.isIdle]).toEqual([room + 1, true]);
  const next = opened.send();
  await clock.runTo(2);
  await server.received("HEADERS", 2);
  expect([recording.calls, next.calls]).toEqual([[], ["start", "sent"]]);
  expect(server.framesOf("RST_STREAM")).toEqual([]);
});

test.each([
  ["sends GOAWAY", goaway(0, "NO_ERROR")],
  ["ends the connection", "end" as const],
  ["resets the connection", "reset" as const],
])("a request may begin on another connection when the server %s before it is written", async (_, step) => {
  const { clock, opened, recording, server } = await openWaiting();
  const socket = server.sockets[1];
  if (step === "end") socket?.end();
  else if (step === "reset") socket?.resetAndDestroy();
  else socket?.write(step);
  await eventually(() => {
    expect(recording.calls).toEqual(["unsent"]);
  });
  await clock.runTo(2);
  expect([recording.calls, opened.transport.room]).toEqual([["unsent"], 0]);
});

test("a request fails as unprocessed when the client closes the connection before it is written", async () => {
  const { opened, recording } = await openWaiting();
  opened.transport.close();
  expect(recording.calls).toEqual(["failure"]);
  expect(await recording.failure()).toMatchObject({ isUnprocessed: true });
});
