import { cpus, platform, release, totalmem } from "node:os";

import { modelOf, startsNothing } from "@bearhug/plan/executors/load-models";
import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import { wholeStripe, type Stripe } from "@bearhug/plan/pacing/stripe";
import type { FeedShare, RunPlan } from "@bearhug/plan/protocol/plan";
import type { PlannedVariants } from "@bearhug/plan/protocol/variants";
import type { RunDescription } from "@bearhug/sdk";
import { executors } from "@bearhug/sdk/internal";
import { version } from "@bearhug/text/version";

import type {
  ArrivalRate,
  RecordedPlan,
  RecordedRun,
  RecordedScenario,
  RecordedShard,
  RecordedVariants,
} from "./run-record.ts";
import type { LocateOption } from "./run.ts";

/** Describes the program and the machine that it runs on. */
export function describeMachine(): Pick<RecordedRun, "tool" | "environment"> {
  return {
    tool: { name: "bearhug", version, node: process.versions.node },
    environment: {
      os: `${platform()} ${release()}`,
      cores: cpus().length,
      memoryMb: Math.round(totalmem() / 2 ** 20),
      ...describeCpu(cpus()[0]?.model),
    },
  };
}

/** Leaves out the model if the system reports an empty one or "unknown". */
function describeCpu(model = ""): Pick<RecordedRun["environment"], "cpu"> {
  const cpu = model.trim();
  return cpu === "" || cpu === "unknown" ? {} : { cpu };
}

/** Describes this machine's part of a run; null for a whole run. */
export function describeShard(
  { shard, startAtMs }: { readonly shard: Stripe | null; readonly startAtMs: number | null },
  testHash: string | null,
): RecordedShard | null {
  if (shard === null || testHash === null) return null;
  return { ...shard, testHash, startAt: startAtMs === null ? null : new Date(startAtMs).toISOString() };
}

/** Returns the name of a run's test, or its file if the test's module threw. */
export function testNameOf({ plan, file }: RecordedRun): string {
  return plan?.testName ?? file ?? "";
}

/** Describes the test for results and reporters. */
export function describeTest(head: RecordedRun): RunDescription {
  const { plan, file, fingerprint } = head;
  const scenarios = (plan?.scenarios ?? []).map(({ scenario, description }) => ({
    name: scenario.name,
    executor: scenario.executor,
    description,
    transport: scenario.http.transport,
    ...(scenario.expectsFailures === true ? ({ expectsFailures: true } as const) : {}),
  }));
  const { seed = 0, workers = 0, warmupMs = 0, maxDataBytes = null, judging } = plan ?? {};
  return {
    test: {
      name: testNameOf(head),
      file,
      target: plan?.baseUrl ?? null,
      ...(fingerprint && { fingerprint }),
    },
    seed,
    plan: { scenarios, workers, warmupMs, maxDataBytes, ...(judging && { judging }) },
  };
}

function describeVariants({ rule, variants }: PlannedVariants): RecordedVariants {
  const { turnMs, changeoverMs } = rule;
  return { names: variants.map(({ name }) => name), turnMs, changeoverMs };
}

/** Describes a plan as far as the result of its run needs it. */
export function describePlan(plan: RunPlan, locateOption: LocateOption): RecordedPlan {
  const { testName, seed, baseUrl, allowHosts, metrics, workers, warmupMs, maxDataBytes } = plan;
  return {
    testName,
    seed,
    baseUrl,
    allowHosts,
    metrics,
    workers,
    warmupMs,
    maxDataBytes,
    ...(plan.variants && { variants: describeVariants(plan.variants) }),
    ...(plan.overload && { overload: plan.overload }),
    ...(plan.judging && { judging: plan.judging }),
    clients: plan.clients.map(({ name, metrics: own, roles }) => ({ name, metrics: own, roles })),
    scenarios: plan.scenarios.map(({ scenario, description, feeds }) => ({
      scenario: {
        name: scenario.name,
        executor: scenario.executor,
        expectsNoRequests: scenario.expectsNoRequests,
        ...(scenario.expectsFailures === true ? { expectsFailures: true } : {}),
        http: { transport: scenario.http.transport },
      },
      arrivalRate: arrivalRateOf(scenario),
      description,
      ...sourceOf(scenario, locateOption),
      pacing: modelOf(scenario).pacing().parse(scenario),
      ...endOfFeeds(scenario, feeds),
      ...(startsNothing(scenario) ? { isEmpty: true } : {}),
    })),
  };
}

/** Finds a scenario's place, which verdicts show if no error has one. */
function sourceOf({ name }: ValidatedScenario, locateOption: LocateOption): Pick<RecordedScenario, "source"> {
  const source = locateOption(`scenarios[${JSON.stringify(name)}]`);
  return source === null ? {} : { source };
}

/** Returns the first feed whose rows run out before the scenario has all of its iterations. */
function endOfFeeds(
  scenario: ValidatedScenario,
  feeds: readonly FeedShare[],
): Pick<RecordedScenario, "endedByFeed"> {
  const ends = feeds
    .filter(({ atEnd }) => atEnd === "stop")
    .map(({ feed, rows, offset, stride }) => {
      return { feed, rows, iterations: Math.max(0, Math.ceil((rows - offset) / stride)) };
    });
  const first = ends.toSorted((left, right) => left.iterations - right.iterations)[0];
  const counted = modelOf(scenario).countedIterations(scenario, wholeStripe) ?? Number.POSITIVE_INFINITY;
  return first !== undefined && first.iterations < counted ? { endedByFeed: first } : {};
}

function arrivalRateOf(scenario: ValidatedScenario): ArrivalRate | null {
  const model = modelOf(scenario);
  const [start] = model.loadOverTime(scenario);
  if (!executors[scenario.executor].isOpen || !model.isEven || start === undefined) return null;
  const isQueued = "onBusy" in scenario && scenario.onBusy === "queue";
  return { perSecond: start.load, maxVUs: model.peakVus(scenario), ...(isQueued && { isQueued }) };
}
