import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { TestPool, type HeldRequest } from "./fake-source.ts";

const statesOf = (requests: readonly HeldRequest[]): string[] => requests.map(({ state }) => state);

describe("a pool of one VU", () => {
  test("opens as many connections as allowed, and serves the other requests in order", () => {
    const pool = new TestPool({ limit: 2 });
    const requests = pool.requests(5, "r");
    expect(statesOf(requests)).toEqual(["opening", "opening", "waiting", "waiting", "waiting"]);
    pool.openAll();
    requests[1]?.end();
    requests[0]?.end();
    requests[2]?.end();
    expect(pool.served).toEqual(["r0", "r1", "r2", "r3", "r4"]);
    expect(pool.source.openings).toEqual([]);
  });

  test("reuses the most recently used connection first", () => {
    const pool = new TestPool();
    const [first, second] = pool.requests(2, "r");
    pool.openAll();
    second?.end();
    first?.end();
    expect(pool.request("next").transport).toBe(first?.transport);
    expect(pool.request("after").transport).toBe(second?.transport);
  });

  test("puts no request on a suspect connection: opens another if allowed, and waits if not", () => {
    const pool = new TestPool({ limit: 1 });
    const first = pool.request("first");
    const transport = pool.source.openings[0]?.open("HTTP/2", 10);
    if (transport === undefined) throw new Error("nothing was opened");
    transport.isSuspect = true;
    const waiting = pool.request("waiting");
    expect([first.state, waiting.state]).toEqual(["served", "waiting"]);
    pool.source.limit = 2;
    expect([pool.request("other").state, waiting.state]).toEqual(["waiting", "waiting"]);
    transport.isSuspect = false;
    transport.allow(10);
    expect(pool.served).toEqual(["first", "waiting", "other"]);
    transport.isSuspect = true;
    expect(pool.request("elsewhere").state).toBe("opening");
  });

  test("serves waiting requests before new ones", () => {
    const pool = new TestPool({ limit: 1 });
    const [first, waiting] = pool.requests(2, "r");
    pool.openAll();
    first?.end();
    const late = pool.request("late");
    expect([waiting?.state, late.state]).toEqual(["served", "waiting"]);
  });

  test("drops connections that expired or that the server closed, and opens others in their place", () => {
    const pool = new TestPool({ limit: 2 });
    const requests = pool.requests(2, "r");
    pool.openAll();
    for (const request of requests) request.end();
    const [gone, expired] = requests.map(({ transport }) => transport);
    gone?.close();
    if (expired) expired.allowed = 0;
    expect(statesOf(pool.requests(3, "n"))).toEqual(["opening", "opening", "waiting"]);
    expect([gone?.isClosed, expired?.isClosed]).toEqual([true, true]);
  });

  test("opens a connection for the next waiting request when one in use is gone", () => {
    const pool = new TestPool({ limit: 1 });
    const [first, second] = pool.requests(2, "r");
    pool.openAll();
    first?.transport?.close();
    first?.end();
    expect(second?.state).toBe("opening");
    pool.openAll();
    expect(second?.transport?.isClosed).toBe(false);
  });

  test.each([
    ["fails", (pool: TestPool) => pool.source.openings[0]?.fail(), "failed"],
    ["is cancelled", (_pool: TestPool, first: HeldRequest) => first.cancel(), "over"],
  ])("goes on with the next waiting request when an opening %s", (_what, act, state) => {
    const pool = new TestPool({ limit: 1 });
    const [first, second] = pool.requests(2, "r");
    if (first) act(pool, first);
    expect([first?.state, second?.state]).toEqual([state, "opening"]);
    expect(pool.source.openings).toHaveLength(2);
  });

  test("forgets a waiting request that is cancelled", () => {
    const pool = new TestPool({ limit: 1 });
    const [first, second, third] = pool.requests(3, "r");
    second?.cancel();
    pool.openAll();
    first?.end();
    third?.end();
    expect(pool.served).toEqual(["r0", "r2"]);
  });

  test("closes free connections at once, and those in use when they are released", () => {
    const pool = new TestPool();
    const [free, used] = pool.requests(2, "r");
    const late = pool.request("late");
    const openings = [...pool.source.openings];
    openings[0]?.open();
    openings[1]?.open();
    free?.end();
    pool.pool.close();
    openings[2]?.open();
    expect([free, used, late].map((request) => request?.transport?.isClosed)).toEqual([true, false, false]);
    used?.end();
    late.end();
    expect([used, late].map((request) => request?.transport?.isClosed)).toEqual([true, true]);
  });
});

describe("a shared pool", () => {
  test("gives a VU at most six connections, and lets others past its waiting requests", () => {
    const pool = new TestPool({ isShared: true, limit: Number.POSITIVE_INFINITY });
    const [one, two] = [{}, {}];
    const greedy = pool.requests(20, "greedy", one);
    expect(pool.source.openings).toHaveLength(6);
    expect(pool.request("modest", two).state).toBe("opening");
    pool.openAll();
    greedy[3]?.end();
    expect(greedy[6]?.state).toBe("served");
    expect(greedy[7]?.state).toBe("waiting");
  });

  test("counts waiting requests among the six, so that a greedy VU does not hold up others for long", () => {
    const pool = new TestPool({ isShared: true, limit: 1 });
    const [one, two] = [{}, {}];
    const requests = [...pool.requests(20, "greedy", one), pool.request("modest", two)];
    pool.openAll();
    while (pool.served.length < requests.length) {
      const name = pool.served.at(-1);
      requests.find((request) => request.name === name)?.end();
    }
    expect(pool.served.indexOf("modest")).toBe(6);
    expect(pool.served.filter((name) => name !== "modest")).toEqual(
      Array.from({ length: 20 }, (_, index) => `greedy${index}`),
    );
  });

  test("loses no place if a VU's waiting requests, or those whose connection is opening, are cancelled", () => {
    const pool = new TestPool({ isShared: true, limit: Number.POSITIVE_INFINITY });
    const owner = {};
    const requests = pool.requests(10, "r", owner);
    requests[6]?.cancel();
    requests[8]?.cancel();
    requests[0]?.cancel();
    expect(requests[7]?.state).toBe("opening");
    requests[1]?.cancel();
    expect(requests[9]?.state).toBe("opening");
    pool.openAll();
    expect(pool.served).toEqual(["r2", "r3", "r4", "r5", "r7", "r9"]);
    for (const { state } of pool.requests(1, "more", owner)) expect(state).toBe("waiting");
  });

  test("gives out all streams of a connection", () => {
    const pool = new TestPool({ isShared: true, limit: 1 });
    const owner = {};
    const requests = pool.requests(100, "r", owner);
    const transport = pool.source.openings[0]?.open("HTTP/2");
    expect(pool.served).toEqual(["r0"]);
    transport?.allow(50);
    expect(pool.served).toHaveLength(50);
    requests[7]?.end();
    expect(pool.served).toHaveLength(51);
    transport?.allow(1000);
    expect(pool.served).toEqual(requests.map(({ name }) => name));
  });
});

describe("an origin whose protocol is not known yet", () => {
  test("gets one connection; with HTTP/1.1, others follow for the waiting requests", () => {
    const pool = new TestPool({ limit: 1 });
    const requests = pool.requests(8, "r");
    expect(pool.source.openings).toHaveLength(1);
    pool.source.limit = 6;
    pool.openAll();
    expect(statesOf(requests)).toEqual(["served", ...Array<string>(5).fill("opening"), "waiting", "waiting"]);
  });

  test("with HTTP/2, the other requests wait until the server has announced its limit", () => {
    const pool = new TestPool({ limit: 1 });
    const requests = pool.requests(4, "r");
    const transport = pool.source.openings[0]?.open("HTTP/2");
    expect(pool.served).toEqual(["r0"]);
    transport?.allow(3);
    expect(pool.served).toEqual(["r0", "r1", "r2"]);
    transport?.allow(0);
    requests[0]?.end();
    expect(requests[3]?.state).toBe("waiting");
    transport?.allow(3);
    expect(requests[3]?.state).toBe("served");
    expect(pool.source.openings).toHaveLength(1);
  });
});

describe("an HTTP/2 connection that takes no more requests", () => {
  test("is replaced at once, and closed when its last request has ended", () => {
    const pool = new TestPool({ limit: 1 });
    const requests = pool.requests(2, "r");
    const transport = pool.source.openings.shift()?.open("HTTP/2", 2);
    transport?.allow(0);
    if (transport !== undefined) pool.pool.onGone(transport);
    expect(pool.request("next").state).toBe("opening");
    requests[0]?.end();
    expect(transport?.isIdle).toBe(false);
    expect(requests[1]?.state).toBe("served");
  });
});

describe("any number of waiting requests", () => {
  test.each(["HTTP/1.1", "HTTP/2"] as const)(
    "is served in turn, even if each ends as it is handed its connection (%s)",
    (protocol) => {
      const pool = new TestPool({ limit: 1 });
      pool.requests(20_000, "r");
      pool.endsAtOnce = true;
      pool.source.openings[0]?.open(protocol);
      expect(pool.served).toHaveLength(20_000);
      expect(pool.served.at(-1)).toBe("r19999");
    },
  );

  test("is served if all are of one VU", () => {
    const pool = new TestPool({ isShared: true, limit: Number.POSITIVE_INFINITY });
    const requests = pool.requests(50_000, "r", {});
    pool.openAll();
    for (const request of requests) request.end();
    expect(pool.served).toHaveLength(50_000);
  });
});

test("no request is lost, no limit is exceeded and nothing is left, whatever the order of events", () => {
  const actions = fc.array(
    fc.record({
      what: fc.constantFrom(
        "request",
        "request",
        "request",
        "open",
        "open",
        "fail",
        "end",
        "end",
        "cancel",
        "drop",
      ),
      at: fc.nat(1000),
    }),
    { maxLength: 80 },
  );
  const scenario = fc.record({
    isShared: fc.boolean(),
    limit: fc.integer({ min: 1, max: 8 }),
    protocol: fc.constantFrom("HTTP/1.1" as const, "HTTP/2" as const),
    actions,
  });
  fc.assert(
    fc.property(scenario, ({ isShared, limit, protocol, actions: planned }) => {
      const pool = new TestPool({ isShared, limit });
      const owners = [{}, {}, {}];
      const requests: HeldRequest[] = [];
      const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
      const inState = (...states: string[]): HeldRequest[] =>
        requests.filter(({ state }) => states.includes(state));
      const pending = () => pool.source.openings.filter((opening) => !opening.isCancelled());
      const settleOpening = (at: number, isOpened: boolean): void => {
        const opening = pick(pending(), at);
        if (opening === undefined) return;
        pool.source.openings.splice(pool.source.openings.indexOf(opening), 1);
        if (isOpened) opening.open(protocol, protocol === "HTTP/2" ? 3 : 1);
        else opening.fail();
      };
      const act = ({ what, at }: { readonly what: string; readonly at: number }): void => {
        if (what === "request") requests.push(pool.request(`r${requests.length}`, pick(owners, at)));
        else if (what === "open") settleOpening(at, true);
        else if (what === "fail") settleOpening(at, false);
        else if (what === "end") pick(inState("served"), at)?.end();
        else if (what === "cancel") pick(inState("waiting", "opening"), at)?.cancel();
        else pick(requests, at)?.transport?.close();
      };
      for (const action of planned) {
        act(action);
        const open = new Set(
          requests.map(({ transport }) => transport).filter((one) => one?.isClosed === false),
        );
        expect(open.size + pending().length).toBeLessThanOrEqual(limit);
        for (const owner of isShared && protocol === "HTTP/1.1" ? owners : []) {
          const own = inState("served", "opening").filter((request) => request.owner === owner);
          expect(own.length).toBeLessThanOrEqual(6);
        }
      }
      for (let turn = 0; inState("waiting", "opening", "served").length > 0; turn++) {
        expect(turn).toBeLessThan(1000);
        settleOpening(0, true);
        inState("served")[0]?.end();
      }
      pool.pool.close();
      expect(pending()).toEqual([]);
      expect(requests.filter(({ transport }) => transport?.isClosed === false)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
