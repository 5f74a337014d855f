import fc from "fast-check";
import { expect, test } from "vitest";

import { Inbox, Outbox } from "../../../src/cluster/wire/records.ts";

/** Takes all records that may be sent now. */
function takeAll(outbox: Outbox): number[] {
  const taken: number[] = [];
  for (let number = outbox.take(); number !== null; number = outbox.take()) taken.push(number);
  return taken;
}

function outboxOf(records: number): Outbox {
  const outbox = new Outbox();
  for (let record = 0; record < records; record++) outbox.write();
  return outbox;
}

test("nothing is sent before there is a connection", () => {
  const outbox = outboxOf(2);
  expect(takeAll(outbox)).toEqual([]);
  outbox.connect(0);
  expect(takeAll(outbox)).toEqual([0, 1]);
  outbox.write();
  expect(takeAll(outbox)).toEqual([2]);
});

test("after a reconnection, all records that the coordinator lacks are sent again", () => {
  const outbox = outboxOf(5);
  outbox.connect(0);
  takeAll(outbox);
  outbox.acknowledge(2);
  outbox.disconnect();
  expect(takeAll(outbox)).toEqual([]);
  outbox.connect(3);
  expect(takeAll(outbox)).toEqual([3, 4]);
  expect(outbox.isEmpty).toBe(false);
  outbox.acknowledge(5);
  expect(outbox.isEmpty).toBe(true);
});

test("a coordinator that lost the end of its file gets those records again, even if it had acknowledged them", () => {
  const outbox = outboxOf(3);
  outbox.connect(0);
  takeAll(outbox);
  outbox.acknowledge(3);
  outbox.connect(1);
  expect(outbox.isEmpty).toBe(false);
  expect(takeAll(outbox)).toEqual([1, 2]);
});

test("at most 64 records are sent without an acknowledgement", () => {
  const outbox = outboxOf(100);
  outbox.connect(0);
  expect(takeAll(outbox)).toHaveLength(64);
  outbox.acknowledge(10);
  expect(takeAll(outbox)).toHaveLength(10);
});

test("a record that arrives again, or before its turn, is not applied", () => {
  const inbox = new Inbox(2);
  expect([1, 2, 2, 4, 3].map((number) => inbox.accept(number))).toEqual([false, true, false, false, true]);
  expect(inbox.applied).toBe(4);
});

/** Steps of a simulation in which connections break and the coordinator restarts. */
const moves = fc.constantFrom(
  ...([
    "write",
    "send",
    "arrive",
    "arriveTwice",
    "acknowledge",
    "cut",
    "connect",
    "restartCoordinator",
  ] as const),
);

test("each record is applied once, in order, whatever is cut, duplicated or restarted", () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 200 }), (sequence) => {
      const outbox = new Outbox();
      const applied: number[] = [];
      let inbox = new Inbox(0);
      let written = 0;
      let underWay: number[] = [];
      let acknowledgements: number[] = [];
      const cut = (): void => {
        outbox.disconnect();
        [underWay, acknowledgements] = [[], []];
      };
      const arrive = (number: number | undefined): void => {
        if (number === undefined) return;
        if (inbox.accept(number)) applied.push(number);
        acknowledgements.push(inbox.applied);
      };
      const connect = (): void => {
        cut();
        outbox.connect(inbox.applied);
      };
      const does: Record<(typeof sequence)[number], () => void> = {
        write: () => {
          outbox.write();
          written++;
        },
        send: () => {
          const number = outbox.take();
          if (number !== null) underWay.push(number);
        },
        arrive: () => {
          arrive(underWay.shift());
        },
        arriveTwice: () => {
          const number = underWay.shift();
          arrive(number);
          arrive(number);
        },
        acknowledge: () => {
          outbox.acknowledge(acknowledgements.shift() ?? 0);
        },
        cut,
        connect,
        restartCoordinator: () => {
          cut();
          inbox = new Inbox(applied.length);
        },
      };
      for (const move of sequence) does[move]();
      expect(outbox.isEmpty && applied.length < written).toBe(false);
      connect();
      for (const number of takeAll(outbox)) arrive(number);
      outbox.acknowledge(inbox.applied);
      expect(applied).toEqual(Array.from({ length: written }, (_, number) => number));
      expect(outbox.isEmpty).toBe(true);
    }),
  );
});
