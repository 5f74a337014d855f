import { describe, expect, test } from "vitest";

import { TestPool } from "./fake-source.ts";

describe("a pool", () => {
  test("checks an idle connection before reuse, and takes another if it has ended", () => {
    const pool = new TestPool({ limit: 2 });
    for (const request of pool.requests(2, "r")) {
      pool.openAll();
      request.end();
    }
    const [last] = pool.requests(1, "last");
    const used = last?.transport;
    last?.end();
    const completeChecks = pool.source.checkIdle();
    const next = pool.request("next");
    expect(next.state).toBe("waiting");
    used?.close();
    completeChecks();
    // The other connection is checked as well.
    expect(next.state).toBe("waiting");
    completeChecks();
    expect([next.state, next.transport === used]).toEqual(["served", false]);
    expect(pool.source.openings).toEqual([]);
  });

  test("opens a connection if the only idle one ended during the check", () => {
    const pool = new TestPool({ limit: 1 });
    const [first] = pool.requests(1, "r");
    pool.openAll();
    first?.end();
    const completeChecks = pool.source.checkIdle();
    const [next, waiting] = pool.requests(2, "n");
    first?.transport?.close();
    completeChecks();
    pool.openAll();
    expect([next?.state, waiting?.state].sort()).toEqual(["served", "waiting"]);
  });

  test("gives a checked connection to another request if the first is cancelled, or closes it with the pool", () => {
    const pool = new TestPool({ limit: 1 });
    const [first] = pool.requests(1, "r");
    pool.openAll();
    first?.end();
    const completeChecks = pool.source.checkIdle();
    const [next, other] = pool.requests(2, "n");
    next?.cancel();
    completeChecks();
    expect([next?.state, other?.state]).toEqual(["over", "served"]);
    other?.end();
    const last = pool.request("last");
    pool.pool.close();
    last.cancel();
    completeChecks();
    expect([last.state, first?.transport?.isClosed]).toEqual(["over", true]);
  });
});
