import type { ErrorResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import type { TargetOutcome } from "../../../src/outcome/verdict/target-outcomes.ts";
import {
  goneAtEnd,
  namesThatNeverSucceeded,
  neverSucceeded,
} from "../../../src/outcome/verdict/unavailable-targets.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

const shop = "http://127.0.0.1:8080";
const api = "http://127.0.0.1:9";

const refused: ErrorResult = {
  code: "CONNECTION_REFUSED",
  cause: "ECONNREFUSED",
  message: "refused",
  count: 10,
  firstAtMs: 10,
  name: "GET 127.0.0.1:9/",
  origin: api,
};

const row = (name: string, succeeded: number, failed: number) => ({
  name,
  started: succeeded + failed,
  sent: succeeded + failed,
  succeeded,
  failed,
  interrupted: 0,
  lost: 0,
});

/**
 * Returns a target with counts before `failedAtEnd` further failures; null means that a request succeeded at
 * the end.
 */
function target(
  [succeeded, failed]: readonly [number, number],
  failedAtEnd: number | null,
  { scenario = "visits", origin = shop }: Partial<TargetOutcome> = {},
): TargetOutcome {
  return { scenario, origin, succeeded, failed: failed + (failedAtEnd ?? 0), failedAtEnd };
}

function ending(changes: Partial<Ending>, rows = [row("GET /", 990, 0), row("GET 127.0.0.1:9/", 0, 10)]) {
  return endingOf({ errors: [refused], ...changes }, { requests: rows });
}

describe("a scenario or a host of which no request succeeded", () => {
  const dead = scenarioOf({
    name: "orders",
    requests: 10,
    failedRequests: 10,
    names: new Set(["GET 127.0.0.1:9/"]),
  });

  test("fails the run though others succeed, however few its requests are", () => {
    const targets = [target([900, 0], null), target([0, 9], 1, { scenario: "orders", origin: api })];
    const scenarios = [scenarioOf({ requests: 990 }), dead];
    expect(neverSucceeded(ending({ scenarios, targets }))).toEqual([
      {
        code: 99,
        message:
          "no request of scenario orders succeeded: CONNECTION_REFUSED at 127.0.0.1:9 (is the server up?). " +
          "To accept that, use expectFailures: true or --expect-failures",
      },
    ]);
  });

  test("fails the run even if its scenario has another host, which answers", () => {
    const targets = [target([900, 0], null), target([0, 9], 1, { origin: api })];
    expect(neverSucceeded(ending({ scenarios: [scenarioOf({ requests: 1000 })], targets }))).toEqual([
      {
        code: 99,
        message:
          "no request to 127.0.0.1:9 succeeded: CONNECTION_REFUSED at 127.0.0.1:9 (is the server up?). " +
          "To accept that, use expectFailures: true or --expect-failures",
      },
    ]);
  });

  test("is accepted if the test expects it, and not reported again if nothing succeeded at all", () => {
    const scenarios = [scenarioOf({ requests: 990 }), { ...dead, expectsFailures: true }];
    expect(neverSucceeded(ending({ scenarios }))).toEqual([]);
    const targets = [target([0, 9], 1, { origin: api })];
    expect(neverSucceeded(ending({ scenarios: [dead], targets }, [row("GET /", 0, 10)]))).toEqual([]);
  });
});

describe("a target that was gone at the end", () => {
  const messagesOf = (targets: readonly TargetOutcome[], changes: Partial<Ending> = {}): string[] =>
    goneAtEnd(ending({ targets, errors: [{ ...refused, origin: shop }], ...changes })).map(
      ({ message }) => message,
    );

  test("fails the run, with the error of its last requests", () => {
    expect(messagesOf([target([17_000, 0], 5)])).toEqual([
      "127.0.0.1:8080 was gone at the end: its last 5 requests failed; CONNECTION_REFUSED at 127.0.0.1:8080 " +
        "(is the server up?). To accept that, use expectFailures: true or --expect-failures",
    ]);
  });

  test.each<[string, TargetOutcome, boolean]>([
    ["one success in the last part shows that it is there", target([900, 0], null), false],
    ["a host that never answered is for another rule", target([0, 50], 50), false],
    ["nothing was tried at the end", target([900, 0], 0), false],
    ["one failure after 900 successes may be chance", target([900, 0], 1), false],
    ["two failures after 900 successes are not chance", target([900, 0], 2), true],
    ["few requests prove little", target([5, 0], 4), false],
    ["5 failures prove little if half of the requests failed before, too", target([50, 50], 5), false],
    ["20 in a row do, even if half of the requests failed before", target([50, 50], 20), true],
  ])("%s", (_, outcome, isGone) => {
    expect(messagesOf([outcome])).toHaveLength(isGone ? 1 : 0);
  });

  test("is searched for in each host over all scenarios, and in each scenario over all hosts", () => {
    const other = { scenario: "orders" };
    expect(messagesOf([target([900, 0], null), target([900, 0], 5, other)])).toEqual([
      expect.stringContaining(
        "no request of scenario orders succeeded at the end: its last 5 requests failed",
      ),
    ]);
    expect(messagesOf([target([900, 0], null), target([900, 0], 5, { origin: api })])).toHaveLength(1);
  });

  test("is not reported if the user or a limit ended the load", () => {
    const gone = [target([900, 0], 5)];
    expect(messagesOf(gone, { interruptedBy: "SIGINT" })).toEqual([]);
    expect(messagesOf(gone, { endedBy: "data" })).toEqual([]);
  });
});

test("names of requests to a host that never answered are not noted in addition", () => {
  const targets = [target([900, 0], null), target([0, 9], 1, { origin: api })];
  const scenarios = [scenarioOf({ requests: 1000 })];
  expect(namesThatNeverSucceeded(ending({ scenarios }))).toHaveLength(1);
  expect(namesThatNeverSucceeded(ending({ scenarios, targets }))).toEqual([]);
});

test("names without a successful request are noted, three of them in full", () => {
  const rows = [row("GET /", 990, 0), ...["a", "b", "c", "d", "e"].map((name) => row(`GET /${name}`, 0, 44))];
  const errors = [{ ...refused, code: "HTTP_404", name: "GET /a", origin: shop, count: 44 }];
  expect(namesThatNeverSucceeded(ending({ errors }, rows)).map(({ message }) => message)).toEqual([
    "GET /a: all 44 requests failed with HTTP_404 at 127.0.0.1:8080 (is the path right?)",
    "GET /b: all 44 requests failed",
    "GET /c: all 44 requests failed",
    "no request of 2 other names succeeded",
  ]);
});
