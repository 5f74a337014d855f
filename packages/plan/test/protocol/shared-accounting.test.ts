import { asMasked, ownWords as ours } from "@bearhug/text/masked-text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  accountingMemory,
  SharedAccounting,
  type RequestCounts,
} from "../../src/protocol/shared-accounting.ts";

/** Returns a view of the same memory, as another thread would have it. */
function otherView({ buffer }: SharedAccounting): SharedAccounting {
  return new SharedAccounting(buffer);
}

function sum(
  rows: readonly RequestCounts[],
  counter: Exclude<keyof RequestCounts, "name" | "client">,
): number {
  return rows.reduce((total, row) => total + row[counter], 0);
}

describe("the shared accounting", () => {
  test("shows every count to another view of the same memory", () => {
    const own = new SharedAccounting();
    const view = otherView(own);
    own.add("iterationsStarted");
    own.add("iterationsStarted", 4);
    own.add("bytesSent", 2 ** 40);
    own.set("heartbeat", 12_345.678);
    own.add("vusActive", 3);
    own.add("vusActive", -1);
    expect(view.get("iterationsStarted")).toBe(5);
    expect(view.get("bytesSent")).toBe(2 ** 40);
    expect(view.get("heartbeat")).toBe(12_345.678);
    expect(view.get("vusActive")).toBe(2);
    expect(view.get("iterationsCompleted")).toBe(0);
    expect(view.requests()).toEqual([]);
  });

  test("keeps operations with the same name apart by client, also in other threads", () => {
    const own = new SharedAccounting();
    own.row(ours`home`).started();
    own.row(ours`home`, "tcp").failed();
    own.row(ours`home`, "udp").sent();
    const view = otherView(own);
    view.row(ours`home`, "tcp").failed();
    expect(view.requests()).toMatchObject([
      { name: "home", client: null, started: 1, failed: 0 },
      { name: "home", client: "tcp", started: 0, failed: 2 },
      { name: "home", client: "udp", sent: 1, failed: 0 },
    ]);
  });

  test("keeps the iterations of scenarios apart from each other and from the names of requests", () => {
    const own = new SharedAccounting(accountingMemory(2));
    const view = otherView(own);
    for (let page = 0; page < 1500; page++) own.row(asMasked(`GET /page-${page}`)).succeeded();
    own.row(ours`GET /page-3`).failed();
    own.scenario(0).add("started", 3);
    own.scenario(1).add("ended", 5);
    own.scenario(1).add("dropped");
    const counters = ["started", "ended", "interrupted", "dropped"] as const;
    expect([0, 1].map((index) => counters.map((counter) => view.scenario(index).get(counter)))).toEqual([
      [3, 0, 0, 0],
      [0, 5, 0, 1],
    ]);
    expect(view.endedRequests()).toBe(1501);
    expect(sum(view.requests(), "succeeded")).toBe(1500);
  });

  test("counts active VUs, iterations and bytes", () => {
    const own = new SharedAccounting(accountingMemory(2));
    own.vuActive(1);
    own.iterationStarted();
    own.scenario(1).started();
    own.addBytes(100, 2000);
    const view = otherView(own);
    const counters = [
      "scenarioIndex",
      "vusActive",
      "iterationsStarted",
      "bytesSent",
      "bytesReceived",
    ] as const;
    expect(counters.map((counter) => view.get(counter))).toEqual([1, 1, 1, 100, 2000]);
    own.vuIdle();
    own.iterationCompleted();
    own.scenario(1).ended();
    expect([view.get("vusActive"), view.get("iterationsCompleted")]).toEqual([0, 1]);
    expect([view.scenario(1).get("started"), view.scenario(1).get("ended")]).toEqual([1, 1]);
  });

  test("has a separate row for each client's names beyond the bound", () => {
    const own = new SharedAccounting();
    for (let page = 0; page < 1500; page++) own.row(asMasked(`GET /page-${page}`)).started();
    for (const client of ["tcp", "udp"]) own.row(ours`ping`, client).started();
    expect(own.requests().slice(-3)).toMatchObject([
      { name: "(other)", client: null, started: 500 },
      { name: "(other)", client: "tcp", started: 1 },
      { name: "(other)", client: "udp", started: 1 },
    ]);
  });

  test("counts requests by name, in the order in which names were first used", () => {
    const own = new SharedAccounting();
    const home = own.row(ours`GET /`);
    home.started();
    home.started();
    home.sent();
    home.succeeded();
    own.row(ours`POST /signup`).started();
    own.row(ours`POST /signup`).failed();
    own.row(ours`GET /`).interrupted();
    expect(otherView(own).requests()).toEqual([
      { name: "GET /", client: null, started: 2, sent: 1, succeeded: 1, failed: 0, interrupted: 1 },
      { name: "POST /signup", client: null, started: 1, sent: 0, succeeded: 0, failed: 1, interrupted: 0 },
    ]);
  });

  test.each(["GET /größe/日本語/👍", "\uFEFFwith a byte order mark", "", "(other)", "__proto__"])(
    "keeps the name %j as it is",
    (name) => {
      const own = new SharedAccounting();
      own.row(asMasked(name)).started();
      const [row] = otherView(own).requests();
      expect(row).toMatchObject({ name, started: 1 });
      otherView(own).row(asMasked(name)).started();
      expect(own.requests()).toHaveLength(1);
      expect(own.requests()[0]?.started).toBe(2);
    },
  );

  test("cuts a name that is too long between two characters, and never into the next row", () => {
    const own = new SharedAccounting();
    const name = `GET /${"日".repeat(300)}`;
    own.row(asMasked(name)).started();
    own.row(ours`GET /next`).failed();
    const [long, next] = otherView(own).requests();
    expect(name.startsWith(long!.name)).toBe(true);
    expect(long!.name.length).toBeGreaterThan(100);
    expect(long).toMatchObject({ started: 1, failed: 0 });
    expect(next).toMatchObject({ name: "GET /next", started: 0, failed: 1 });
  });

  test("counts names beyond a thousand as (other), and reports which one was the first", () => {
    const own = new SharedAccounting();
    for (let page = 0; page < 1000; page++) own.row(asMasked(`GET /page-${page}`)).started();
    expect(own.overflowed).toBeNull();
    for (let page = 1000; page < 1500; page++) own.row(asMasked(`GET /page-${page}`)).started();
    const rows = otherView(own).requests();
    expect(rows).toHaveLength(1001);
    expect(rows.at(-1)).toMatchObject({ name: "(other)", started: 500 });
    expect(sum(rows, "started")).toBe(1500);
    expect(own.overflowed).toBe("GET /page-1000");
    expect(own.row(ours`GET /page-1400`).name).toBe("(other)");
    expect(own.row(ours`GET /page-3`).name).toBe("GET /page-3");
  });

  test("adds up to the recorded events in every view", () => {
    const event = fc.record({
      name: fc.oneof(fc.constantFrom("GET /a", "GET /b"), fc.string({ unit: "grapheme", maxLength: 40 })),
      outcome: fc.constantFrom("succeeded", "failed", "interrupted"),
      isSent: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const own = new SharedAccounting();
        const view = otherView(own);
        for (const { name, outcome, isSent } of events) {
          const row = own.row(asMasked(name));
          row.started();
          if (isSent) row.sent();
          row[outcome]();
        }
        expect(view.requests()).toEqual(own.requests());
        const rows = view.requests();
        expect(sum(rows, "started")).toBe(events.length);
        expect(sum(rows, "sent")).toBe(events.filter(({ isSent }) => isSent).length);
        expect(sum(rows, "succeeded") + sum(rows, "failed") + sum(rows, "interrupted")).toBe(events.length);
        for (const { name, started } of rows) {
          expect(started).toBe(events.filter((one) => one.name === name).length);
        }
      }),
    );
  });
});
