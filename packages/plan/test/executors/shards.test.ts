import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedFeed } from "../../src/definition/feed-options.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import { modelOf } from "../../src/executors/load-models.ts";
import type { PlannedScenario } from "../../src/protocol/plan.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import { planScenarios } from "../../src/test-file/make-plan.ts";
import { planFeeds } from "../../src/test-file/work-numbering.ts";
import { ScenarioFeeds } from "../../../engine/src/worker/feed-handles.ts";
import { createRandom } from "../../../engine/src/worker/random.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const base = {
  name: "s",
  startTimeMs: 0,
  gracefulStopMs: 0,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
const vus = fc.integer({ min: 1, max: 9 });
const iterations = fc.integer({ min: 1, max: 25 });
const arrivals = fc.constantFrom("uniform" as const, "poisson" as const);
const open = { timeUnitMs: 1000, preAllocatedVUs: 1, onBusy: "drop" as const };

/** Scenarios whose iterations are decided by the plan alone. */
const counted: fc.Arbitrary<ValidatedScenario> = fc.oneof(
  fc
    .record({ vus, iterations })
    .map((load) => ({ ...base, ...load, executor: "shared-iterations" as const, maxDurationMs: 1000 })),
  fc
    .record({ vus, iterations })
    .map((load) => ({ ...base, ...load, executor: "per-vu-iterations" as const, maxDurationMs: 1000 })),
  fc.record({ rate: fc.integer({ min: 1, max: 90 }), maxVUs: vus, arrivals }).map((load) => ({
    ...base,
    ...open,
    ...load,
    executor: "constant-arrival-rate" as const,
    durationMs: 300,
  })),
  fc
    .record({ target: fc.integer({ min: 1, max: 150 }), maxVUs: vus, arrivals })
    .map(({ target, ...load }) => ({
      ...base,
      ...open,
      ...load,
      executor: "ramping-arrival-rate" as const,
      startRate: 5,
      stages: [{ durationMs: 300, target }],
    })),
);

/** Scenarios whose virtual users iterate until their time is over. */
const lasting: fc.Arbitrary<ValidatedScenario> = fc.oneof(
  vus.map((count) => ({ ...base, executor: "constant-vus" as const, vus: count, durationMs: 300 })),
  fc
    .record({ startVUs: fc.integer({ min: 0, max: 9 }), target: fc.integer({ min: 1, max: 12 }) })
    .map((ramp) => ({
      ...base,
      executor: "ramping-vus" as const,
      gracefulRampDownMs: 0,
      startVUs: ramp.startVUs,
      stages: [
        { durationMs: 300, target: ramp.target },
        { durationMs: 100, target: ramp.target },
      ],
    })),
);

/** The number of workers on each machine. */
const machines = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 7 });

const feed: ValidatedFeed = {
  name: "users",
  format: "rows",
  rows: 13,
  order: "shuffled",
  per: "iteration",
  atEnd: "wrap",
  isUnique: false,
  scenarios: null,
} as const;
const rows = { users: upTo(feed.rows ?? 0).map((row) => `user ${row}`) };

/** Everything that is decided about an iteration: when it was due, its index, its row. */
interface Fate {
  readonly index: number;
  readonly dueMs: number | null;
  readonly row: unknown;
}

interface Applied {
  readonly fates: readonly Fate[];
  /** Ids of all VUs. */
  readonly vuIds: readonly number[];
}

function plan(scenario: ValidatedScenario): PlannedScenario {
  const [planned] = planScenarios(
    [scenario],
    planFeeds([feed], [scenario], (_, problem) => expect.fail(problem)),
  );
  if (planned === undefined) throw new TypeError("nothing was planned");
  return planned;
}

/** Runs a scenario with the given number of workers on each machine. */
async function apply(planned: PlannedScenario, workers: readonly number[]): Promise<Applied> {
  const feeds = new ScenarioFeeds(rows, planned.feeds, 7);
  const { offset, stride } = planned.iterationIndexes;
  const fates: Fate[] = [];
  const vuIds: number[] = [];
  for (const [shard, count] of workers.entries()) {
    const tickets = new SharedTickets(1);
    for (const index of upTo(count)) {
      const clock = new FakeClock();
      const place = { stripe: { index, count }, shard: { index: shard, count: workers.length } };
      const share = new FakeShare(clock, { tickets, ...place });
      const running = modelOf(planned.scenario).run(planned.scenario, share);
      await clock.runTo(400);
      share.end();
      await running;
      expect(share.dropped).toBe(0);
      vuIds.push(...share.vus.map((vu) => planned.vuIdOffset + vu + 1));
      for (const { number, intendedMs, vu } of share.ran) {
        const handles = feeds.handles({ index: vu, iterationNumber: number });
        fates.push({ index: offset + number * stride, dueMs: intendedMs, row: handles["users"]?.next() });
      }
    }
  }
  const byIndex = fates.toSorted((left, right) => left.index - right.index);
  return { fates: byIndex, vuIds: vuIds.toSorted((left, right) => left - right) };
}

describe("the shards of a run", () => {
  test("together do exactly what one machine would do", async () => {
    await fc.assert(
      fc.asyncProperty(counted, machines, async (scenario, workers) => {
        const planned = plan(scenario);
        const [whole, shared] = [await apply(planned, [1]), await apply(planned, workers)];
        expect(shared.fates).toEqual(whole.fates);
        // Each id occurs once, because the VU's random numbers depend on it.
        expect(new Set(shared.vuIds).size).toBe(shared.vuIds.length);
        if (!("maxVUs" in scenario)) expect(shared.vuIds).toEqual(whole.vuIds);
      }),
      { numRuns: 60 },
    );
  });

  test("run each virtual user of constant-vus and ramping-vus once, with its own random numbers", async () => {
    await fc.assert(
      fc.asyncProperty(lasting, machines, async (scenario, workers) => {
        const planned = plan(scenario);
        const [whole, shared] = [await applyForAWhile(planned, [1]), await applyForAWhile(planned, workers)];
        expect(shared.vuIds).toEqual(whole.vuIds);
        expect(new Set(shared.numbers).size).toBe(shared.numbers.length);
        const drawn = shared.vuIds.map((id) => createRandom(7, id)());
        expect(new Set(drawn).size).toBe(drawn.length);
      }),
      { numRuns: 40 },
    );
  });
});

/** Does the same as `apply` for a scenario that iterates until its time is over. */
async function applyForAWhile(
  planned: PlannedScenario,
  workers: readonly number[],
): Promise<{ readonly vuIds: readonly number[]; readonly numbers: readonly number[] }> {
  const vuIds: number[] = [];
  const numbers: number[] = [];
  for (const [shard, count] of workers.entries())
    for (const index of upTo(count)) {
      const clock = new FakeClock();
      const place = { stripe: { index, count }, shard: { index: shard, count: workers.length } };
      const share = new FakeShare(clock, { iterationMs: () => 40, ...place });
      const running = modelOf(planned.scenario).run(planned.scenario, share);
      await clock.runTo(390);
      share.end();
      await clock.runTo(500);
      await running;
      vuIds.push(...share.vus.map((vu) => planned.vuIdOffset + vu + 1));
      numbers.push(...share.numbers);
    }
  return { vuIds: vuIds.toSorted((left, right) => left - right), numbers };
}

describe("a machine that begins late", () => {
  const scenario = {
    ...base,
    ...open,
    executor: "constant-arrival-rate" as const,
    arrivals: "uniform" as const,
    rate: 10,
    durationMs: 1000,
    maxVUs: 5,
  };

  test("drops the arrivals that were due before, and is on time from then on", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { lateMs: 250 });
    await clock.runTo(250);
    const running = modelOf(scenario).run(scenario, share);
    await clock.runTo(1000);
    await running;
    expect(share.dropReasons).toEqual(new Set(["late_start"]));
    expect(share.droppedDueMs).toEqual([0, 100, 200]);
    expect(share.ran.map(({ number, intendedMs }) => [number, intendedMs])).toEqual(
      upTo(7).map((index) => [index + 3, (index + 3) * 100]),
    );
  });

  test("reports the right time for each arrival that it misses later", async () => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { lateMs: 250 });
    await clock.runTo(250);
    const running = modelOf(scenario).run(scenario, share);
    await clock.runTo(605);
    clock.jump(200);
    share.stop();
    await running;
    expect(share.ran).toHaveLength(4);
    expect(share.dropReasons).toEqual(new Set(["late_start", "stopped"]));
    expect(share.droppedDueMs).toEqual([0, 100, 200, 700, 800]);
  });
});
