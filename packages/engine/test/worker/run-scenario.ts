import type { Accumulator } from "@bearhug/metrics/accumulator";
import type { CheckFault } from "@bearhug/metrics/check-faults";
import type { ErrorRecord } from "@bearhug/metrics/error-log";
import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { validateTest } from "@bearhug/plan/definition/validate-test";
import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { wholeStripe } from "@bearhug/plan/pacing/stripe";
import type { LogLine } from "@bearhug/plan/protocol/messages";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { noFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";
import type { Variant } from "@bearhug/plan/protocol/variants";
import { defineTest } from "@bearhug/sdk";
import { type AnyContext, type AnyTestDefinition } from "@bearhug/sdk/internal";
import type { ExemplarsResult } from "@bearhug/sdk/result";
import { createMask } from "@bearhug/text/secret-mask";
import { onTestFinished } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { createFetchClient } from "../../../http/src/fetch/measured-fetch.ts";
import { startHttp, type LoadedHttp } from "../../../http/src/http-clients.ts";
import { speakUndici } from "../../../http/src/undici/create-undici-transport.ts";
import { planScenarios } from "../../../plan/src/test-file/make-plan.ts";
import { deepFreeze } from "../../src/worker/deep-freeze.ts";
import { createEngine } from "../../src/worker/engine.ts";
import { ScenarioRun } from "../../src/worker/scenario-run.ts";

type VuStateContext = Parameters<NonNullable<AnyTestDefinition["vuState"]>>[0];
type State = Record<string, unknown>;

export interface Load {
  readonly baseUrl?: string;
  readonly vus?: number;
  readonly iterations?: number;
  readonly gracefulStop?: number;
  readonly maxDuration?: number;
  readonly data?: unknown;
  readonly tags?: Readonly<Record<string, string>>;
  readonly http?: AnyTestDefinition["http"];
  readonly vuState?: (context: VuStateContext) => State | Promise<State>;
  /** Variants that take turns of 20 ms. */
  readonly variants?: readonly Variant[];
}

export interface ScenarioOutcome {
  readonly run: ScenarioRun;
  readonly ended: Promise<void>;
  readonly accounting: SharedAccounting;
  /** Null without `vuState`. */
  readonly vuStateAccounting: SharedAccounting | null;
  readonly logs: LogLine[];
  readonly aborts: string[];
  /** Returns a metric over everything recorded so far. */
  readonly metric: (key: string) => Accumulator | undefined;
  /** Returns the tag sets of the series that have a metric. */
  readonly tagsOf: (metric: string) => readonly Readonly<Record<string, string>>[];
  readonly errors: () => readonly ErrorRecord[];
  /** Returns the exemplars since the last call; null if there are none. */
  readonly exemplars: () => ExemplarsResult | null;
  /** Returns the checks that threw since the last call. */
  readonly checkFaults: () => readonly CheckFault[];
}

/** Starts one worker's run of a `shared-iterations` scenario, as a load worker does. */
export function startScenario(exec: (context: AnyContext) => unknown, load: Load = {}): ScenarioOutcome {
  const {
    baseUrl,
    vus = 1,
    iterations = 1,
    gracefulStop = 30_000,
    maxDuration = 60_000,
    data,
    tags = {},
    http = {},
    vuState,
    variants,
  } = load;
  const test = defineTest({
    ...(baseUrl === undefined ? {} : { baseUrl }),
    http,
    ...(vuState && { vuState: (context) => vuState(context) }),
    metrics: {
      basket_size: { type: "trend" },
      coupons_used: { type: "counter" },
      queue_length: { type: "gauge" },
      found: { type: "rate" },
    },
    scenarios: {
      readers: {
        executor: "shared-iterations",
        vus,
        iterations,
        gracefulStop,
        maxDuration,
        tags,
        exec: (context) => exec(context),
      },
    },
  });
  const { test: valid, problems } = validateTest(test);
  if (valid === undefined) throw new TypeError(JSON.stringify(problems));
  const [planned] = planScenarios(valid.scenarios);
  const definition = test.scenarios["readers"];
  if (planned === undefined || definition === undefined) throw new TypeError("no scenario");
  const accounting = new SharedAccounting();
  const vuStateAccounting = vuState ? new SharedAccounting() : null;
  const loaded: LoadedHttp = {
    makeFetchClient: createFetchClient,
    speakUndici,
    readCode: () => "",
  };
  const logs: LogLine[] = [];
  const aborts: string[] = [];
  const engine = createEngine({
    tracer: null,
    clock: systemClock,
    plan: {
      testName: "t",
      seed: 7,
      baseUrl: valid.baseUrl,
      allowHosts: [],
      allowUnmeasured: false,
      movedHosts: null,
      http: defaultHttp,
      env: { REGION: "eu" },
      secrets: [],
      clients: builtInClients,
      metrics: valid.metrics,
      scenarios: [planned],
      tags: {},
      workers: 1,
      sharedConnections: null,
      warmupMs: 0,
      maxDataBytes: null,
      ...(variants && {
        variants: {
          rule: { seed: 7, variants: variants.length, turnMs: 20, changeoverMs: 4 },
          variants,
        },
      }),
    },
    test,
    data: deepFreeze(data),
    feeds: { ...noFeeds, rows: {} },
    accounting,
    warmupAccounting: null,
    vuStateAccounting,
    connections: null,
    samples: null,
    bundlePath: null,
    folder: import.meta.dirname,
    mask: createMask([]),
    followsCode: true,
    clients: builtInClients.map((kind) => ({ kind, start: (parts) => startHttp(parts, loaded) })),
    log: (line) => logs.push(line),
    abort: (reason) => aborts.push(reason),
  });
  engine.startedAtMs = systemClock.now();
  const run = new ScenarioRun(
    engine,
    planned,
    0,
    definition,
    { shard: wholeStripe, worker: wholeStripe },
    new SharedTickets(1),
  );
  onTestFinished(() => {
    run.stop("hard");
    engine.close();
  });
  const taker = new SnapshotTaker(engine.registry);
  const store = new SeriesStore();
  const refresh = (): SeriesStore => {
    store.add(0, taker.take());
    return store;
  };
  return {
    run,
    ended: run.run(systemClock.now()),
    accounting,
    vuStateAccounting,
    logs,
    aborts,
    metric: (key) => refresh().select(parseMetricSelector(key)),
    tagsOf: (metric) =>
      [...refresh().all()].filter(({ metrics }) => metrics.has(metric)).map(({ tags: own }) => own),
    errors: () => engine.errors.all(),
    exemplars: () => engine.exemplars.drain(engine.startedAtMs),
    checkFaults: () => engine.registry.checkFaults.drain(),
  };
}

/** Runs a scenario to its end. */
export async function runScenario(
  exec: (context: AnyContext) => unknown,
  load: Load = {},
): Promise<ScenarioOutcome> {
  const outcome = startScenario(exec, load);
  await outcome.ended;
  return outcome;
}

/** Returns the number of iterations by outcome. */
export function iterationCounts(accounting: SharedAccounting) {
  return {
    started: accounting.get("iterationsStarted"),
    completed: accounting.get("iterationsCompleted"),
    failed: accounting.get("iterationsFailed"),
    interrupted: accounting.get("iterationsInterrupted"),
  };
}
