import { loadFetchSupport, type FetchSupport } from "@bearhug/http/load-undici";
import { AllowedHosts } from "@bearhug/http/request/hosts";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { UnmeasuredLog } from "@bearhug/metrics/unmeasured-log";
import { SampleRecorder } from "@bearhug/plan/clients/sample-recorder";
import type { Tracer } from "@bearhug/plan/clients/tracer";
import { peakVus } from "@bearhug/plan/executors/load-models";
import { every, systemClock } from "@bearhug/plan/pacing/clock";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import {
  stripeAt,
  stripeSize,
  wholeStripe,
  type Stripe,
  type StripePlace,
} from "@bearhug/plan/pacing/stripe";
import type {
  FromLoadWorker,
  LoadStart,
  LoadWorkerStart,
  WorkerPort,
  StopMode,
  ToLoadWorker,
  WorkerSnapshot,
} from "@bearhug/plan/protocol/messages";
import type { PlannedScenario, RunPlan } from "@bearhug/plan/protocol/plan";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { SharedConnections } from "@bearhug/plan/protocol/shared-connections";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { SharedSamples } from "@bearhug/plan/protocol/shared-samples";
import { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";
import { bundlePathOf, folderOf, loadDefinition } from "@bearhug/plan/test-file/load-definition";
import { codesOfSuccess, isTest } from "@bearhug/sdk/internal";
import type { Mask } from "@bearhug/text/secret-mask";

import { current, moduleCode } from "./current.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { RowsByFeed } from "./feed-handles.ts";
import { loadClients } from "./load-clients.ts";
import { flushThreadOutput } from "./masked-output.ts";
import { isOwnThread } from "./dedicated-thread.ts";
import { ScenarioRun } from "./scenario-run.ts";
import { keepBundleStacks, serializeThrown } from "./stack-position.ts";
import { catchUnhandledErrors, holdUnhandledErrors } from "./unhandled-errors.ts";
import { UnfiredTimers } from "./unfired-timers.ts";
import { watchTraffic, type TrafficRules } from "./traffic-watch.ts";

const snapshotEveryMs = 1000;
const heartbeatEveryMs = 500;

/**
 * Applies one worker's share of the load: waits for the start, runs the scenarios, sends a snapshot each
 * second.
 */
export async function runLoadWorker(
  received: LoadWorkerStart,
  port: WorkerPort<FromLoadWorker, ToLoadWorker>,
  mask: Mask,
  tracer: Tracer | null,
): Promise<void> {
  const start = { ...received, plan: planOfWorker(received.plan, received.workerId) };
  const unmeasured = new UnmeasuredLog();
  // Must precede the loading of the test's module, whose top-level code may connect, too.
  const fetching = await loadFetchSupport(start.source);
  const endTrafficWatch = watchTraffic(unmeasured, trafficRules(start, fetching));
  // In a thread that outlives the worker, its changes are undone even if the worker does not finish.
  port.onClose(endTrafficWatch);
  const engine = await prepare(start, port, { mask, tracer });
  if (engine === null) {
    endTrafficWatch();
    return;
  }
  const runs = createRuns(engine, start);
  const stopCatching = catchUnhandledErrors(engine);
  port.onClose(stopCatching);
  const timers = new UnfiredTimers();
  port.onClose(() => timers.close());
  const endBundleStacks = keepBundleStacks();
  port.onClose(endBundleStacks);
  const begun = new Promise<LoadStart>((resolve) =>
    port.receive((message) => {
      if (message.type === "start") resolve(message);
      else {
        // Do not report timers that had no chance to fire because the load was stopped early.
        timers.close();
        stopAll(runs, message.mode);
      }
    }),
  );
  port.send({ type: "ready" });
  const { atMs: runStartMs, beganMs } = await begun;
  engine.startedAtMs = runStartMs + start.plan.warmupMs;
  const reporting = reportEachSecond(engine, unmeasured, port);
  if (tracer === null) await Promise.all(runs.map((run) => run.run(runStartMs, beganMs)));
  // A trace is read step by step: run one scenario at a time.
  else for (const run of runs) await run.run(runStartMs, beganMs);
  // A dedicated thread may live on for a moment. Its connections stay restricted, and its errors must not end
  // it.
  if (!isOwnThread()) endTrafficWatch();
  // This takes a turn, in which a test's timer may throw: errors must still be caught.
  await flushThreadOutput();
  timers.end();
  reporting.end();
  if (!isOwnThread()) stopCatching();
  endBundleStacks();
  engine.close();
  port.send({ type: "finished" });
}

/**
 * Returns the plan of one worker. If connections are shared, each worker gets its part of their total. The
 * limit of streams spreads its requests over them: HTTP/2 would put as many as the server allows on the
 * first.
 */
function planOfWorker(plan: RunPlan, index: number): RunPlan {
  const { sharedConnections: total, workers } = plan;
  if (total === null) return plan;
  const stripe = { index, count: workers };
  return { ...plan, scenarios: plan.scenarios.map((planned) => withConnections(planned, total, stripe)) };
}

function withConnections(planned: PlannedScenario, total: number, stripe: Stripe): PlannedScenario {
  const { scenario } = planned;
  const maxConnections = stripeSize(total, stripe);
  const requests = stripeSize(peakVus(scenario), stripe);
  const maxConcurrentStreams = Math.min(
    scenario.http.maxConcurrentStreams,
    Math.max(1, Math.ceil(requests / maxConnections)),
  );
  const http = { ...scenario.http, connections: "shared" as const, maxConnections, maxConcurrentStreams };
  return { ...planned, scenario: { ...scenario, http } };
}

function trafficRules(
  { plan, source, isInProgram }: LoadWorkerStart,
  { replaceFetch }: FetchSupport,
): TrafficRules {
  const allowedHosts = new AllowedHosts(plan.baseUrl, plan.allowHosts);
  return {
    stage: "load",
    bundlePath: bundlePathOf(source),
    isInProgram,
    mayConnect: (host) => plan.allowUnmeasured || allowedHosts.hasHost(host),
    mayBypassEngine: plan.allowUnmeasured,
    replaceFetch,
  };
}

interface Traced {
  readonly mask: Mask;
  readonly tracer: Tracer | null;
}

async function prepare(
  start: LoadWorkerStart,
  port: WorkerPort<FromLoadWorker, ToLoadWorker>,
  { mask, tracer }: Traced,
): Promise<Engine | null> {
  const { source, plan, data, feeds, warmupAccounting, vuStateAccounting } = start;
  const bundlePath = bundlePathOf(source);
  try {
    const clients = await loadClients(source, plan);
    const test = await current.run(moduleCode, loadDefinition, source);
    holdUnhandledErrors();
    if (!isTest(test)) throw new TypeError("the module's default export is no longer a test");
    return createEngine({
      clock: systemClock,
      plan,
      test: test,
      data: deepFreeze(data),
      feeds: { ...feeds, rows: await rowsOf(feeds) },
      accounting: new SharedAccounting(start.accounting),
      warmupAccounting: warmupAccounting && new SharedAccounting(warmupAccounting),
      vuStateAccounting: vuStateAccounting && new SharedAccounting(vuStateAccounting),
      connections: new SharedConnections(start.connections),
      bundlePath,
      folder: folderOf(source),
      mask,
      samples: sampleRecorder(start, port),
      followsCode: source.kind !== "url",
      clients,
      tracer,
      log: (line) => {
        if (tracer === null) port.send({ type: "log", line });
        else tracer.log(line);
      },
      abort: (reason, position) => port.send({ type: "abort", reason, position }),
    });
  } catch (error) {
    port.send({ type: "threw", thrown: serializeThrown(error, bundlePath, mask) });
    return null;
  }
}

/** Loads the parsers of feeds only if the test has feeds. */
async function rowsOf(feeds: SharedFeeds): Promise<RowsByFeed> {
  if (Object.keys(feeds.byName).length === 0) return {};
  const { openFeeds } = await import("./open-feeds.ts");
  return openFeeds(feeds);
}

function sampleRecorder(
  { sampling, plan, workerId }: LoadWorkerStart,
  port: WorkerPort<FromLoadWorker, ToLoadWorker>,
): SampleRecorder | null {
  if (sampling === null) return null;
  return new SampleRecorder({
    rule: sampling.rule,
    ring: new SharedSamples(sampling.ring),
    random: randomSource(plan.seed, firstSampleStream - stripeAt(placeOf(plan, workerId)).index),
    define: (kind) => port.send({ type: "sampled", kind }),
  });
}

/** The first of the random number streams that neither virtual users nor HTTP use. */
const firstSampleStream = -1_500_000_000;

function createRuns(engine: Engine, { workerId, plan, tickets }: LoadWorkerStart): ScenarioRun[] {
  const place = placeOf(plan, workerId);
  const drawn = new SharedTickets(tickets);
  return plan.scenarios.map((planned, index) => {
    const definition = engine.test.scenarios[planned.scenario.name];
    if (definition === undefined) throw new TypeError(`the test has no scenario ${planned.scenario.name}`);
    return new ScenarioRun(engine, planned, index, definition, place, drawn);
  });
}

/** Returns the place of a worker among those of all machines. */
function placeOf({ shard = wholeStripe, workers }: RunPlan, workerId: number): StripePlace {
  return { shard, worker: { index: workerId, count: workers } };
}

function stopAll(runs: readonly ScenarioRun[], mode: StopMode): void {
  for (const run of runs) run.stop(mode);
}

/**
 * Sends snapshots on whole seconds since measuring began, so that all workers' snapshots have the same
 * intervals.
 */
function reportEachSecond(
  engine: Engine,
  unmeasured: UnmeasuredLog,
  port: WorkerPort<FromLoadWorker, ToLoadWorker>,
): { end(): void } {
  const { clock, accounting, registry, errors, targets, loopWatch, startedAtMs, vuState } = engine;
  const cancelBegin = clock.at(startedAtMs, () => loopWatch.begin(clock));
  const taker = new SnapshotTaker(registry);
  let interval = 0;
  const send = (): void => {
    const overflow = {
      name: accounting.overflowed,
      tags: registry.overflowed === null ? null : JSON.stringify(registry.overflowed),
      foldedTags: registry.foldedTags,
    };
    const snapshot = {
      interval,
      series: taker.take(),
      errors: errors.drain(),
      checkFaults: registry.checkFaults.drain(),
      unmeasured: unmeasured.drain(),
      health: loopWatch.sample(),
      overflow,
      targets: targets.drain(startedAtMs),
      ...(engine.turns && { turns: engine.turns.drain() }),
      ...newExemplars(engine),
    };
    port.send({ type: "snapshot", snapshot });
    const oddities = vuState?.errors.drain().filter(({ code }) => codesOfSuccess.has(code)) ?? [];
    if (oddities.length > 0) port.send({ type: "oddities", oddities });
  };
  const tick = (): void => {
    send();
    interval = Math.max(interval + 1, Math.floor((clock.now() - startedAtMs) / snapshotEveryMs));
    cancel = clock.at(startedAtMs + (interval + 1) * snapshotEveryMs, tick);
  };
  let cancel = clock.at(startedAtMs + snapshotEveryMs, tick);
  const beat = (): void => accounting.set("heartbeat", clock.now());
  beat();
  const endHeartbeat = every(clock, heartbeatEveryMs, beat);
  return {
    end() {
      cancelBegin();
      cancel();
      endHeartbeat();
      send();
    },
  };
}

function newExemplars({ exemplars, startedAtMs }: Engine): Pick<WorkerSnapshot, "exemplars"> {
  const drained = exemplars.drain(startedAtMs);
  return drained === null ? {} : { exemplars: drained };
}
