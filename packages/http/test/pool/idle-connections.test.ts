import { describe, expect, test } from "vitest";

import { TestPool } from "./fake-source.ts";

describe("a pool", () => {
  test("looks at an idle connection before it is used, and takes another if it ended meanwhile", () => {
    const pool = new TestPool({ limit: 2 });
    for (const request of pool.requests(2, "r")) {
      pool.openAll();
      request.end();
    }
    const [last] = pool.requests(1, "last");
    const used = last?.transport;
    last?.end();
    const caughtUp = pool.source.checkIdle();
    const next = pool.request("next");
    expect(next.state).toBe("waiting");
    used?.close();
    caughtUp();
    // The other one is looked at as well.
    expect(next.state).toBe("waiting");
    caughtUp();
    expect([next.state, next.transport === used]).toEqual(["served", false]);
    expect(pool.source.openings).toEqual([]);
  });

  test("opens a connection where the only idle one ended as it was looked at", () => {
    const pool = new TestPool({ limit: 1 });
    const [first] = pool.requests(1, "r");
    pool.openAll();
    first?.end();
    const caughtUp = pool.source.checkIdle();
    const [next, waiting] = pool.requests(2, "n");
    first?.transport?.close();
    caughtUp();
    pool.openAll();
    expect([next?.state, waiting?.state].sort()).toEqual(["served", "waiting"]);
  });

  test("leaves an idle connection to others where who was to use it gives up, and closes it where nobody may", () => {
    const pool = new TestPool({ limit: 1 });
    const [first] = pool.requests(1, "r");
    pool.openAll();
    first?.end();
    const caughtUp = pool.source.checkIdle();
    const [next, other] = pool.requests(2, "n");
    next?.cancel();
    caughtUp();
    expect([next?.state, other?.state]).toEqual(["over", "served"]);
    other?.end();
    const last = pool.request("last");
    pool.pool.close();
    last.cancel();
    caughtUp();
    expect([last.state, first?.transport?.isClosed]).toEqual(["over", true]);
  });
});
