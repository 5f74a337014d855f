import { describe, expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";
import { TurnWrites, type TurnWriter } from "../../src/transport/turn-writes.ts";
import { openHttp1, type OpenedHttp1 } from "./open-http1.ts";

interface Writers {
  readonly clock: FakeClock;
  readonly written: string[];
  readonly add: (name: string) => void;
  readonly writes: TurnWrites;
}

function writersOf(connections: number): Writers {
  const clock = new FakeClock();
  const written: string[] = [];
  const writes = new TurnWrites(clock);
  for (let opened = 0; opened < connections; opened++) writes.opened();
  const add = (name: string): void => {
    writes.add({
      writeNow: () => {
        written.push(name);
        return null;
      },
    });
  };
  return { clock, written, add, writes };
}

describe("requests that start in one turn of the event loop", () => {
  test("are written in order at the end of the turn, except for the first, which is written at once", async () => {
    const { clock, written, add } = writersOf(3);
    for (const name of ["a", "b", "c"]) add(name);
    expect(written).toEqual(["a"]);
    await clock.runTo(1);
    expect(written).toEqual(["a", "b", "c"]);
    add("d");
    expect(written).toEqual(["a", "b", "c", "d"]);
  });

  test("wait for a millisecond at most if other work of the turn takes long", () => {
    const { clock, written, add } = writersOf(3);
    for (const name of ["a", "b", "c"]) {
      add(name);
      clock.jump(0.6);
    }
    expect(written).toEqual(["a"]);
    add("d");
    expect(written).toEqual(["a", "b", "c", "d"]);
    add("e");
    expect(written).toEqual(["a", "b", "c", "d"]);
  });

  test("are written at once if one connection is open: no other writes can come", () => {
    const { written, add, writes } = writersOf(2);
    writes.closed();
    for (const name of ["a", "b"]) add(name);
    expect(written).toEqual(["a", "b"]);
  });

  test("may start others when they are written, and those are written at once", async () => {
    const { clock, written, add, writes } = writersOf(2);
    add("a");
    writes.add({
      writeNow: () => {
        written.push("b");
        add("c");
        return null;
      },
    });
    await clock.runTo(1);
    expect(written).toEqual(["a", "b", "c"]);
  });
});

test("a request that is written right after another starts at the time at which the other was sent", async () => {
  const clock = new FakeClock();
  const writes = new TurnWrites(clock);
  const startedAt: (number | null)[] = [];
  const writer = (sentMs: number | null): TurnWriter => ({
    writeNow: (atMs) => {
      startedAt.push(atMs);
      return sentMs;
    },
  });
  for (let opened = 0; opened < 2; opened++) writes.opened();
  for (const sentMs of [1, 2, null, 3]) writes.add(writer(sentMs));
  await clock.runTo(1);
  // The first of the turn and that after it were not written right after another; nor was the last.
  expect(startedAt).toEqual([null, null, 2, null]);
});

describe("a request that is still to be written", () => {
  /** Opens two connections. The turn's first request is on one, so that those of the other wait. */
  async function openWaiting() {
    const clock = new FakeClock();
    const writes = new TurnWrites(clock);
    const first = await openHttp1({ clock, writes });
    const opened = await openHttp1({ clock, writes });
    first.send();
    const recording = opened.send();
    expect(recording.calls).toEqual([]);
    return { clock, opened, recording };
  }

  test("begins, and is sent, when it is written", async () => {
    const { clock, opened, recording } = await openWaiting();
    expect([opened.transport.room, opened.transport.isIdle]).toEqual([0, false]);
    await clock.runTo(1);
    expect(recording.calls).toEqual(["start", "sent"]);
    await eventually(() => {
      expect(opened.receivedText()).toContain("GET / HTTP/1.1");
    });
  });

  test("leaves the connection to the next when it is cancelled", async () => {
    const { clock, opened, recording } = await openWaiting();
    opened.transport.cancel(recording);
    expect(opened.transport.room).toBe(1);
    const next = opened.send({ path: "/next" });
    await clock.runTo(1);
    expect([recording.calls, next.calls]).toEqual([[], ["start", "sent"]]);
    await eventually(() => {
      expect(opened.receivedText()).toMatch(/^GET \/next HTTP\/1\.1\r\n[^]*\r\n\r\n$/);
    });
  });

  test.each<[string, (opened: OpenedHttp1) => void, readonly string[]]>([
    ["ends it", ({ peer }) => peer.end(), ["gone"]],
    ["resets it", ({ peer }) => peer.resetAndDestroy(), ["gone"]],
    [
      "sends unrequested bytes",
      ({ peer }) => peer.write("HTTP/1.1 408 x\r\n\r\n"),
      ["gone", "18 unrequested after "],
    ],
  ])("may begin on another connection when the server %s", async (_, act, reported) => {
    const { clock, opened, recording } = await openWaiting();
    act(opened);
    await recording.over;
    await clock.runTo(1);
    expect(recording.calls).toEqual(["unsent"]);
    expect([opened.reported, opened.receivedText()]).toEqual([reported, ""]);
  });

  test("fails when the client closes the connection", async () => {
    const { clock, opened, recording } = await openWaiting();
    opened.transport.close();
    await clock.runTo(1);
    expect(recording.calls).toEqual(["failure"]);
  });
});
