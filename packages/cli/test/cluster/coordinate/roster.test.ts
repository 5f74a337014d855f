import { describe, expect, test } from "vitest";

import { Roster, type Applicant, type Seat, type Standing } from "../../../src/cluster/coordinate/roster.ts";

const options = { agents: 2, joinTimeoutMs: 120_000, orphanTimeoutMs: 60_000 };
const ready = { isReady: true, isLoadOver: false };
const over = { isReady: true, isLoadOver: true };

function standings(roster: Roster, nowMs: number): Standing[] {
  return roster.list(nowMs).map(({ standing }) => standing);
}

function join(roster: Roster, agentId: string, nowMs: number, given: Partial<Applicant> = {}): Seat | null {
  return roster.join({ agentId, name: `agent ${agentId}`, shard: null, isReturning: false, ...given }, nowMs);
}

/** Returns a roster whose two agents joined and started at time 0. */
function running(): Roster {
  const roster = new Roster(options, 0);
  for (const id of ["a", "b"]) {
    join(roster, id, 0);
    roster.updateState(id, ready, 0);
  }
  roster.start();
  return roster;
}

describe("seats", () => {
  test("are given in the order of joining, and an agent that comes back gets its own", () => {
    const roster = new Roster(options, 0);
    expect(standings(roster, 0)).toEqual(["awaited", "awaited"]);
    expect(join(roster, "a", 0)).toEqual({ agentId: "a", name: "agent a", shard: 0, replaced: null });
    expect(join(roster, "b", 0)).toMatchObject({ shard: 1 });
    expect(join(roster, "c", 0)).toBeNull();
    roster.leave("a");
    expect(join(roster, "a", 5)).toMatchObject({ shard: 0, replaced: null });
    expect(roster.seats.map(({ agentId }) => agentId)).toEqual(["a", "b"]);
  });

  test("are given as requested, and never twice", () => {
    const roster = new Roster(options, 0);
    expect(join(roster, "b", 0, { shard: 1 })).toMatchObject({ shard: 1 });
    expect(join(roster, "c", 0, { shard: 1 })).toBeNull();
    expect(join(roster, "d", 0, { shard: 2 })).toBeNull();
    expect(join(roster, "a", 0)).toMatchObject({ shard: 0 });
  });

  test("are kept when the coordinator restarts, and no new agent gets one after the start", () => {
    const roster = new Roster(options, 100, [{ agentId: "b", name: "agent b", shard: 1 }]);
    expect(standings(roster, 100)).toEqual(["awaited", "silent"]);
    roster.start();
    expect(join(roster, "c", 200)).toBeNull();
    expect(join(roster, "b", 200)).toMatchObject({ shard: 1 });
  });

  test("are given back to agents of a run whose coordinator has lost its files", () => {
    const roster = new Roster(options, 0);
    roster.start();
    expect(join(roster, "b", 0, { shard: 1, isReturning: true })).toMatchObject({ shard: 1 });
    expect(standings(roster, 0)).toEqual(["awaited", "joined"]);
  });
});

test("the start waits until every agent is ready", () => {
  const roster = new Roster(options, 0);
  expect(roster.areAllReady).toBe(false);
  join(roster, "a", 0);
  roster.updateState("a", ready, 0);
  expect(roster.areAllReady).toBe(false);
  join(roster, "b", 0);
  expect(roster.areAllReady).toBe(false);
  expect(standings(roster, 0)).toEqual(["ready", "joined"]);
  roster.updateState("b", ready, 0);
  expect(roster.areAllReady).toBe(true);
  roster.start();
  expect(standings(roster, 0)).toEqual(["running", "running"]);
});

describe("before the start", () => {
  test("an agent that never joins is lost after the join timeout", () => {
    const roster = new Roster(options, 0);
    join(roster, "a", 0);
    roster.updateState("a", ready, 120_000);
    expect(roster.loseOverdue(120_000)).toEqual([]);
    expect(roster.loseOverdue(120_001)).toEqual([{ shard: 1, name: null, standing: "lost" }]);
    expect(roster.areAllReady).toBe(true);
  });

  test("an agent that disconnects is lost after the join timeout, and may return", () => {
    const roster = new Roster(options, 0);
    join(roster, "a", 0);
    join(roster, "b", 10);
    roster.leave("b");
    roster.noteSignOfLife("a", 120_011);
    expect(roster.loseOverdue(120_011)).toMatchObject([{ shard: 1, name: "agent b" }]);
    expect(join(roster, "b", 120_012)).toMatchObject({ shard: 1 });
    expect(standings(roster, 120_012)).toEqual(["joined", "joined"]);
  });

  test("an agent that disconnects or is silent loses its seat to a spare", () => {
    const roster = new Roster(options, 0);
    join(roster, "a", 0);
    join(roster, "b", 0);
    roster.updateState("b", ready, 0);
    expect(join(roster, "c", 1)).toBeNull();
    roster.leave("b");
    expect(join(roster, "c", 2, { shard: 0 })).toBeNull();
    expect(join(roster, "c", 2)).toEqual({ agentId: "c", name: "agent c", shard: 1, replaced: "b" });
    // The spare is not ready just because the agent that it replaced was.
    roster.updateState("a", ready, 2);
    expect(roster.areAllReady).toBe(false);
    expect(join(roster, "b", 3)).toBeNull();
    roster.noteSignOfLife("c", 9000);
    expect(join(roster, "d", 9001)).toMatchObject({ shard: 0, replaced: "a" });
  });

  test("a shard that no other agent can take over is not given away", () => {
    const roster = new Roster(options, 0);
    join(roster, "a", 0);
    roster.leave("a");
    const spare = { agentId: "b", name: "agent b", shard: 0, isReturning: false };
    expect(roster.join(spare, 1, () => false)).toBeNull();
    expect(roster.join(spare, 1)).toMatchObject({ shard: 0, replaced: "a" });
  });

  test("nothing is ready if all are lost", () => {
    const roster = new Roster(options, 0);
    roster.loseOverdue(120_001);
    expect(roster.areAllReady).toBe(false);
    expect(roster.isOver).toBe(true);
  });
});

describe("a silent agent", () => {
  test("counts as silent after 8 s or when its connection closes, and is taken back when it returns", () => {
    const roster = running();
    roster.noteSignOfLife("a", 8001);
    expect(standings(roster, 8001)).toEqual(["running", "silent"]);
    join(roster, "b", 9000);
    expect(standings(roster, 9000)).toEqual(["running", "running"]);
    roster.leave("a");
    expect(standings(roster, 9001)).toEqual(["silent", "running"]);
  });

  test("is not lost while the load of others goes on", () => {
    const roster = running();
    roster.leave("b");
    roster.noteSignOfLife("a", 10_000_000);
    expect(roster.loseOverdue(10_000_000)).toEqual([]);
  });

  test("is lost 60 s after the load of the others is over, and taken back even then", () => {
    const roster = running();
    roster.leave("b");
    roster.updateState("a", over, 100_000);
    expect(roster.areLoadsOver).toBe(false);
    roster.noteSignOfLife("a", 160_000);
    expect(roster.loseOverdue(160_000)).toEqual([]);
    roster.noteSignOfLife("a", 160_001);
    expect(roster.loseOverdue(160_001)).toMatchObject([{ name: "agent b" }]);
    expect(standings(roster, 160_001)).toEqual(["running", "lost"]);
    expect(roster.areLoadsOver).toBe(true);
    roster.end("a", 160_002);
    expect(roster.isOver).toBe(true);
    join(roster, "b", 160_003);
    expect(roster.isOver).toBe(false);
    expect(roster.loseOverdue(160_003)).toEqual([]);
  });

  test("whose link was cut late is lost 60 s after the end, too", () => {
    const roster = running();
    roster.noteSignOfLife("b", 90_000);
    roster.leave("b");
    roster.end("a", 100_000);
    expect(roster.loseOverdue(160_000)).toEqual([]);
    expect(roster.loseOverdue(160_001)).toMatchObject([{ name: "agent b" }]);
  });

  test("whose load goes on longer than that of the others is lost 60 s after its last sign of life", () => {
    const roster = running();
    roster.end("a", 1000);
    roster.noteSignOfLife("b", 50_000);
    roster.leave("b");
    expect(roster.loseOverdue(50_000 + 60_000)).toEqual([]);
    expect(roster.loseOverdue(50_000 + 60_001)).toMatchObject([{ name: "agent b" }]);
  });

  test("is waited for as long as its load may go on without the coordinator, if all are silent", () => {
    const roster = running();
    for (const id of ["a", "b"]) roster.leave(id);
    expect(roster.loseOverdue(60_000 + 60_000)).toEqual([]);
    expect(roster.loseOverdue(60_000 + 60_001)).toMatchObject([{ name: "agent a" }, { name: "agent b" }]);
  });
});

test("the run is over when all records have arrived", () => {
  const roster = running();
  roster.end("a", 1);
  expect(roster.areLoadsOver).toBe(false);
  roster.updateState("b", over, 2);
  expect(roster.areLoadsOver).toBe(true);
  expect(roster.isOver).toBe(false);
  roster.end("b", 3);
  expect(roster.isOver).toBe(true);
  expect(standings(roster, 100_000)).toEqual(["ended", "ended"]);
});
