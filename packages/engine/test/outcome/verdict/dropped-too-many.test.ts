import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { Trend } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../../src/built-in-clients.ts";
import { droppedSome, droppedTooMany } from "../../../src/outcome/verdict/dropped-too-many.ts";
import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { scenarioOutcomes } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { thresholdOf } from "../../../../metrics/test/thresholds/threshold-of.ts";
import { endingOf } from "./ending-of.ts";

const counter = (total: number): MetricDelta => ({ type: "counter", total, samples: total });

function arrivals(count: number): MetricDelta {
  const trend = new Trend(3);
  for (let index = 0; index < count; index++) trend.add(1);
  return trend.toDelta();
}

/**
 * Returns the ending of a run with scenario `visits`: these drops by reason, and 95 iterations that were
 * started.
 */
function ending(
  drops: Readonly<Record<string, number>>,
  { keys = [], executor = "constant-arrival-rate", arrivalRate = null, ...changes }: Changes = {},
): Ending {
  const store = new SeriesStore();
  const deltas = Object.entries(drops).map(([reason, count], index) => ({
    id: index + 1,
    tags: { scenario: "visits", reason },
    metrics: { dropped_iterations: counter(count) },
  }));
  store.add(0, [{ id: 0, tags: { scenario: "visits" }, metrics: { vu_wait: arrivals(95) } }, ...deltas]);
  const plan = {
    clients: builtInClients,
    scenarios: [
      {
        scenario: {
          name: "visits",
          executor,
          expectsNoRequests: false,
          http: { transport: "bearhug" as const },
        },
        description: "",
        arrivalRate,
      },
    ],
  };
  return endingOf({
    scenarios: scenarioOutcomes(
      store,
      plan,
      keys.map((key) => thresholdOf(key, "count<1000")),
    ),
    ...changes,
  });
}

interface Changes extends Partial<Ending> {
  readonly keys?: readonly string[];
  readonly arrivalRate?: { readonly perSecond: number; readonly maxVUs: number } | null;
  readonly executor?: "constant-arrival-rate" | "ramping-arrival-rate" | "shared-iterations";
}

describe("an open model that dropped", () => {
  test("more than 5 % of its iterations fails, and says how many, and why", () => {
    expect(droppedTooMany(ending({ busy: 6 }))).toEqual([
      {
        code: 99,
        message:
          "the planned load was not reached: 6 of 101 iterations of visits were dropped because all VUs were busy: " +
          "maxVUs is too low, or the target is too slow. The limit is 5 %; to set your own, add a threshold on dropped_iterations",
      },
    ]);
    expect(droppedTooMany(ending({ busy: 5 }))).toEqual([]);
    expect(droppedTooMany(ending({ busy: 3, late: 3 }, { executor: "ramping-arrival-rate" }))).toHaveLength(
      1,
    );
  });

  test.each([
    ["hung", "all VUs were waiting for requests that the target never answered"],
    ["requests", "the target is too slow, or maxVUs is too low"],
    ["test", "mostly outside requests (such as sleep and think): raise maxVUs"],
  ] as const)("says why its VUs were busy: %s", (spentOn, words) => {
    const classifyVuTime = () => ({ spentOn, mostInRequests: null });
    expect(droppedTooMany(ending({ busy: 50 }, { classifyVuTime }))[0]?.message).toContain(words);
  });

  test("from a constant rate says which rate was left, which limit applied, and how to raise it", () => {
    const arrivalRate = { perSecond: 500, maxVUs: 75 };
    const classifyVuTime = () => ({ spentOn: "requests", mostInRequests: null }) as const;
    const { message } = droppedTooMany(ending({ busy: 95 }, { arrivalRate, classifyVuTime }))[0]!;
    expect(message).toBe(
      "the planned load was not reached: 95 of 190 iterations of visits were dropped, leaving 250/s of 500/s, because all " +
        "VUs were busy: the target is too slow, or maxVUs is too low; maxVUs was 75, which --vus sets, or -c and " +
        "--max-active-requests for a URL. The limit is 5 %; to set your own, add a threshold on dropped_iterations",
    );
    const saturated = droppedTooMany(ending({ busy: 95 }, { arrivalRate, isGeneratorSaturated: true }))[0]!;
    expect(saturated.message).toContain(
      "because all VUs were busy, and the load generator was saturated: add workers or machines, or lower the rate",
    );
    const late = droppedTooMany(ending({ late: 95 }, { arrivalRate }))[0]!;
    expect(late.message).toContain(
      "because the load generator fell behind: add workers or machines, or lower the rate",
    );
  });

  test("from a queue names no rate: its iterations also started after the time of the load", () => {
    const arrivalRate = { perSecond: 500, maxVUs: 75, isQueued: true } as const;
    const { message } = droppedTooMany(ending({ busy: 95 }, { arrivalRate }))[0]!;
    expect(message).toContain("95 of 190 iterations of visits were dropped because all VUs were busy");
  });

  test("1 to 5 % passes with a note; less has none", () => {
    const arrivalRate = { perSecond: 500, maxVUs: 75 };
    expect(droppedSome(ending({ late: 5 }, { arrivalRate }))).toEqual([
      {
        code: 0,
        message:
          "5 of 100 iterations of visits were dropped, leaving 475/s of 500/s, because the load generator fell behind: " +
          "add workers or machines, or lower the rate",
      },
    ]);
    expect(droppedSome(ending({ late: 6 }))).toEqual([]);
    expect(droppedSome(ending({}))).toEqual([]);
    expect(droppedSome(ending({ late: 5 }, { keys: ["dropped_iterations"] }))).toEqual([]);
  });

  test("names the reason of most drops", () => {
    const { message } = droppedTooMany(ending({ busy: 10, late: 50, "queue full": 0 }))[0]!;
    expect(message).toContain("60 of 155");
    expect(message).toContain("mostly because the load generator fell behind");
  });

  test("passes if the user or the test stopped it, but not if a limit ended it", () => {
    expect(droppedTooMany(ending({ stopped: 500 }))).toEqual([]);
    expect(droppedTooMany(ending({ busy: 500 }, { interruptedBy: "SIGINT" }))).toEqual([]);
    expect(droppedTooMany(ending({ busy: 500 }, { abortReason: "enough" }))).toEqual([]);
    expect(droppedTooMany(ending({ busy: 500 }, { endedBy: "data" }))).toHaveLength(1);
  });

  test("is left to a threshold of the test that covers these drops, and to no other", () => {
    const judgedBy = (...keys: string[]): number => droppedTooMany(ending({ busy: 50 }, { keys })).length;
    expect(judgedBy("dropped_iterations")).toBe(0);
    expect(judgedBy("dropped_iterations{scenario:visits}")).toBe(0);
    expect(judgedBy("dropped_iterations{reason:busy}")).toBe(0);
    expect(judgedBy("dropped_iterations{reason:late}")).toBe(1);
    expect(judgedBy("dropped_iterations{scenario:orders}")).toBe(1);
    expect(judgedBy("iterations")).toBe(1);
  });
});

test("a closed model fails if it had no time to start more than 5 % of its iterations", () => {
  const cutOff = ending({ time: 500 }, { executor: "shared-iterations" });
  expect(droppedTooMany(cutOff)).toEqual([
    {
      code: 99,
      message:
        "the planned load was not reached: 500 of 500 iterations of visits were dropped because maxDuration ran out before they " +
        "started: raise it, or ask for fewer iterations. The limit is 5 %; to set your own, add a threshold on dropped_iterations",
    },
  ]);
  const own = { executor: "shared-iterations", keys: ["dropped_iterations"] } as const;
  expect(droppedTooMany(ending({ time: 500 }, own))).toEqual([]);
});
