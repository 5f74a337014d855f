import type { ErrorResult } from "@bearhug/sdk";
import type { IterationAccounting } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import {
  noIterations,
  noRequests,
  nothingCompleted,
  nothingFinished,
  someThrew,
  unmeasuredScenarios,
} from "../../../src/outcome/verdict/load-iterations.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

function thrown(changes: Partial<ErrorResult> = {}): ErrorResult {
  const source = { file: "shop.ts", line: 7, column: 3 };
  return {
    code: "TEST_THREW",
    cause: null,
    message: "Error: no",
    name: "visits",
    count: 1,
    firstAtMs: 5,
    source,
    frame: "  6 |\n> 7 | throw",
    ...changes,
  };
}

const cutShort: Partial<Ending>[] = [{ interruptedBy: "SIGINT" }, { abortReason: "enough" }];

describe("a scenario whose iterations failed, and none completed", () => {
  test("fails with the first exception and its lines of source", () => {
    const errors = [
      thrown({ message: "later", firstAtMs: 9, count: 99 }),
      thrown(),
      thrown({ name: "other", firstAtMs: 1 }),
    ];
    const scenarios = [
      scenarioOf({ failed: 100 }),
      scenarioOf({ name: "fine", completed: 1, failed: 1, requests: 1 }),
    ];
    expect(nothingCompleted(endingOf({ scenarios, errors }))).toEqual([
      {
        code: 99,
        message:
          "all 100 iterations of visits failed; first error: Error: no at shop.ts:7:3\n  6 |\n> 7 | throw",
      },
    ]);
  });

  test("fails with the cause if nothing was thrown, or with an error without a known place", () => {
    const scenarios = [scenarioOf({ failed: 1, requests: 1 })];
    const request = { name: "GET /", started: 2, sent: 2, succeeded: 1, failed: 1, interrupted: 0, lost: 0 };
    expect(nothingCompleted(endingOf({ scenarios }, { requests: [request] }))[0]?.message).toBe(
      "the only iteration of visits failed: its requests got no response",
    );
    // If no request succeeded, that is the reason, and another rule reports it.
    const none = { ...request, succeeded: 0, failed: 2 };
    expect(nothingCompleted(endingOf({ scenarios }, { requests: [none] }))).toEqual([]);
    const two = [request, { ...none, name: "GET /other" }];
    const all = [scenarioOf({ failed: 2, requests: 2 })];
    expect(nothingCompleted(endingOf({ scenarios: all }, { requests: two }))[0]?.message).toBe(
      "all 2 iterations of visits failed: their requests got no response",
    );
    const errors = [thrown({ source: null, frame: null })];
    expect(nothingCompleted(endingOf({ scenarios, errors }))[0]?.message).toBe(
      "the only iteration of visits failed; first error: Error: no",
    );
  });

  test("fails with the place of the scenario if the error has none", () => {
    const source = { file: "shop.ts", line: 4, column: 5 };
    const errors = [thrown({ source: null, frame: null })];
    const scenarios = [scenarioOf({ failed: 1, source }), scenarioOf({ name: "fine", completed: 1 })];
    expect(nothingCompleted(endingOf({ scenarios, errors }))[0]?.message).toBe(
      "the only iteration of visits failed; first error: Error: no, in the scenario at shop.ts:4:5",
    );
    expect(noRequests(endingOf({ scenarios: [scenarioOf({ completed: 5, source })] }))[0]?.message).toMatch(
      /^5 iterations of visits at shop\.ts:4:5 made no requests/,
    );
  });

  test.each(cutShort)("does not fail if the run was cut short: %j", (changes) => {
    const scenarios = [scenarioOf({ failed: 3 })];
    expect(nothingCompleted(endingOf({ scenarios, errors: [thrown()], ...changes }))).toEqual([]);
  });

  test("does not include a scenario in which nothing was due, and an error of a request is no exception", () => {
    const errors = [thrown(), thrown({ name: "failing", code: "TIMEOUT" })];
    const scenarios = [scenarioOf({}), scenarioOf({ name: "failing", failed: 1 })];
    expect(nothingCompleted(endingOf({ scenarios, errors }))).toEqual([]);
  });
});

test("if some iterations threw, a note says how many, and where the first did", () => {
  const scenarios = [
    scenarioOf({ completed: 90, failed: 10, requests: 90 }),
    scenarioOf({ name: "orders", completed: 18, failed: 2, requests: 20 }),
    scenarioOf({ name: "broken", failed: 4 }),
    scenarioOf({ name: "fine", completed: 300, requests: 300 }),
  ];
  const errors = [
    thrown({ count: 10 }),
    thrown({ name: "orders", count: 2, firstAtMs: 1, message: "Error: yes" }),
    thrown({ name: "broken", count: 4, firstAtMs: 0 }),
  ];
  expect(someThrew(endingOf({ scenarios, errors }))).toEqual([
    { code: 0, message: "12 of 120 iterations threw; first error: Error: yes at shop.ts:7:3" },
  ]);
  // Iterations that failed because of unanswered requests threw nothing.
  expect(someThrew(endingOf({ scenarios }))).toEqual([]);
});

describe("iterations that made no request", () => {
  const iterations = (changes: Partial<IterationAccounting>): IterationAccounting => ({
    ...endingOf().accounting.iterations,
    ...changes,
  });
  const request = { name: "GET /", started: 9, sent: 9, succeeded: 8, failed: 0, interrupted: 0, lost: 0 };
  const messagesOf = (changes: Partial<Ending>, counts: Partial<Ending["accounting"]> = {}): string[] =>
    noRequests(endingOf(changes, counts)).map(({ message }) => message);

  test("fail a scenario, unless that is expected", () => {
    const silent = scenarioOf({ completed: 5 });
    const scenarios = [silent, scenarioOf({ name: "busy", completed: 8, requests: 8 })];
    const counts = { requests: [{ ...request, started: 8 }] };
    expect(messagesOf({ scenarios }, counts)).toEqual([
      "5 iterations of visits made no requests (if that is intended, set expectNoRequests: true)",
    ]);
    const expected = [{ ...silent, expectsNoRequests: true }, ...scenarios.slice(1)];
    expect(messagesOf({ scenarios: expected }, counts)).toEqual([]);
    for (const changes of cutShort) expect(messagesOf({ scenarios, ...changes }, counts)).toEqual([]);
  });

  test("are not reported of a scenario whose requests may be those that did not end", () => {
    const requests = [{ ...request, interrupted: 1 }];
    expect(messagesOf({ scenarios: [scenarioOf({ completed: 5 })] }, { requests })).toEqual([]);
    const both = [{ ...request, interrupted: 1, lost: 1 }];
    expect(messagesOf({ scenarios: [scenarioOf({ completed: 5 })] }, { requests: both })).toEqual([]);
  });

  test("are reported if the requests that did not end have the name of another scenario's", () => {
    const busy = scenarioOf({ name: "busy", completed: 8, requests: 8, names: new Set(["GET /"]) });
    const counts = { requests: [{ ...request, interrupted: 1 }] };
    expect(messagesOf({ scenarios: [scenarioOf({ completed: 5 }), busy] }, counts)).toEqual([
      "5 iterations of visits made no requests (if that is intended, set expectNoRequests: true)",
    ]);
    const waiting = scenarioOf({ vuTime: { totalUs: 2_000_000, lostUs: 0 } });
    expect(messagesOf({ scenarios: [waiting, busy] }, counts)).toEqual([
      "the iterations of visits made no requests and never finished (if that is intended, set expectNoRequests: true)",
    ]);
    const unknown = { requests: [{ ...request, name: "GET /events", interrupted: 1 }] };
    expect(messagesOf({ scenarios: [waiting, busy] }, unknown)).toEqual([]);
    expect(messagesOf({ scenarios: [scenarioOf({}), busy] }, counts)).toEqual([]);
    expect(messagesOf({ scenarios: [waiting, busy], endedBy: "data" }, counts)).toEqual([]);
  });

  test("fail a run in which none of these iterations ended", () => {
    const scenarios = [scenarioOf({})];
    const counts = { iterations: iterations({ started: 2, interrupted: 2 }) };
    expect(messagesOf({ scenarios }, counts)).toEqual([
      "2 iterations of visits made no requests and never finished (if that is intended, set expectNoRequests: true)",
    ]);
    expect(messagesOf({ scenarios: [...scenarios, scenarioOf({ name: "other" })] }, counts)[0]).toMatch(
      /^2 iterations made no requests and never finished/,
    );
    expect(messagesOf({ scenarios }, { ...counts, requests: [request] })).toEqual([]);
    expect(messagesOf({ scenarios: [scenarioOf({ expectsNoRequests: true })] }, counts)).toEqual([]);
    expect(
      messagesOf({ scenarios: [...scenarios, scenarioOf({ expectsNoRequests: true })] }, counts),
    ).toEqual([]);
    const one = { iterations: iterations({ started: 1, interrupted: 1 }) };
    expect(messagesOf({ scenarios }, one)[0]).toMatch(/^1 iteration of visits made no requests/);
    // Another rule reports iterations that threw before their first request.
    const threw = { iterations: iterations({ started: 2, failed: 2 }) };
    expect(messagesOf({ scenarios }, threw)).toEqual([]);
    expect(messagesOf({ scenarios })).toEqual([]);
  });
});

test("a scenario that started no iteration fails the run, even if iterations of another were interrupted", () => {
  const iterations = { ...endingOf().accounting.iterations, started: 9, completed: 8, interrupted: 1 };
  const messagesOf = (other: Parameters<typeof scenarioOf>[0]): string[] =>
    noIterations(
      endingOf(
        {
          startedAt: "2026-12-01T09:00:00.000Z",
          scenarios: [scenarioOf({ name: "busy", completed: 8 }), scenarioOf(other)],
        },
        { iterations },
      ),
    ).map(({ message }) => message);
  expect(messagesOf({})).toEqual([expect.stringMatching(/^scenario visits started no iteration: /)]);
  expect(messagesOf({ vuTime: { totalUs: 1, lostUs: 0 } })).toEqual([]);
  expect(messagesOf({ arrived: 1 })).toEqual([]);
  expect(messagesOf({ drops: new Map([["busy", 3]]) })).toEqual([]);
  expect(messagesOf({ expectsNoRequests: true })).toEqual([]);
});

test("after a warm-up, only a scenario whose load is empty is known to have started no iteration", () => {
  const { iterations, requests } = endingOf().accounting;
  const warmup = { iterations: { ...iterations, started: 3 }, requests };
  const scenarios = [scenarioOf({ name: "empty", isEmpty: true }), scenarioOf({ name: "early" })];
  const ending = endingOf({ startedAt: "2026-12-01T09:00:00.000Z", scenarios }, { warmup });
  expect(noIterations(ending).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^scenario empty started no iteration: /),
  ]);
});

test("a note names scenarios of which no iteration finished, although they made requests", () => {
  const notesOf = (scenario: Parameters<typeof scenarioOf>[0], changes: Partial<Ending> = {}) =>
    nothingFinished(endingOf({ scenarios: [scenarioOf(scenario)], ...changes }));
  const stuck = { requests: 3, vuTime: { totalUs: 6_000_000, lostUs: 0 } };
  const message =
    "no iteration of visits finished: each is longer than the load, or waits for something that never comes";
  expect(notesOf(stuck)).toEqual([{ code: 0, message }]);
  expect(notesOf({ ...stuck, completed: 1 })).toEqual([]);
  expect(notesOf({ ...stuck, failed: 1 })).toEqual([]);
  expect(notesOf({ ...stuck, requests: 0 })).toEqual([]);
  for (const changes of cutShort) expect(notesOf(stuck, changes)).toEqual([]);
});

describe("a scenario of which nothing was measured, because of a warm-up", () => {
  const { iterations } = endingOf().accounting;
  const started = { ...iterations, scheduled: 9, started: 9 };
  const request = { name: "GET /", started: 9, sent: 9, succeeded: 9, failed: 0, interrupted: 0, lost: 0 };
  const requests = [request];
  const warmedUp = { iterations: started, requests, warmup: { iterations: started, requests } };
  const busy = scenarioOf({ name: "busy", completed: 9, requests: 9 });
  const messagesOf = (
    changes: Partial<Ending>,
    counts: Partial<Ending["accounting"]> = warmedUp,
  ): [notes: string[], failures: string[]] => {
    const ending = endingOf({ startedAt: "2026-11-21T10:00:00.000Z", ...changes }, counts);
    const failures = [...noRequests(ending), ...noIterations(ending)].map(({ message }) => message);
    return [unmeasuredScenarios(ending).map(({ message }) => message), failures];
  };

  test("is noted, with the reason", () => {
    const running = scenarioOf({ name: "long", vuTime: { totalUs: 2_000_000, lostUs: 0 } });
    expect(messagesOf({ scenarios: [busy, scenarioOf({}), running] })).toEqual([
      [
        "nothing of scenario visits was measured: none of its iterations began after the warm-up",
        "nothing of scenario long was measured: its iterations began in the warm-up and never finished",
      ],
      [],
    ]);
  });

  test("is not noted if something was measured, or if another rule says why nothing was", () => {
    const drops = new Map([["busy", 1]]);
    const measured = [{ completed: 1 }, { failed: 1 }, { arrived: 1 }, { requests: 1 }, { drops }];
    const scenarios = [...measured.map(scenarioOf), scenarioOf({ isEmpty: true })];
    expect(messagesOf({ scenarios })[0]).toEqual([]);
    for (const changes of [...cutShort, { endedBy: "data" } as const])
      expect(messagesOf({ scenarios: [busy, scenarioOf({})], ...changes })[0]).toEqual([]);
    const silent = { scenarios: [busy, scenarioOf({})] };
    expect(messagesOf(silent, { ...warmedUp, iterations })[0]).toEqual([]);
    expect(messagesOf(silent, { iterations: started })[0]).toEqual([]);
  });
});
