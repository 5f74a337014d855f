import { availableParallelism } from "node:os";

import { atPosition } from "@bearhug/metrics/results/source-position";
import { Trend } from "@bearhug/metrics/trend";
import { InvalidTest, type TestProblem } from "@bearhug/plan/definition/invalid-test";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { systemClock } from "@bearhug/plan/pacing/clock";
import {
  type FromLoadWorker,
  type LogLine,
  ownOrigin,
  type WorkerSnapshot,
} from "@bearhug/plan/protocol/messages";
import { outsideIterations } from "@bearhug/plan/protocol/read-thrown";
import { SharedConnections } from "@bearhug/plan/protocol/shared-connections";
import { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";
import { createSourceNames } from "@bearhug/plan/test-file/bundle-positions";
import { givenVariables, makePlan } from "@bearhug/plan/test-file/make-plan";
import { secretsByName } from "@bearhug/plan/test-file/read-env";
import { startOfFile } from "@bearhug/plan/test-file/source-lines";
import type { TestResult } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";
import { ownWords } from "@bearhug/text/masked-text";
import { createMask } from "@bearhug/text/secret-mask";

import { builtInClients } from "../built-in-clients.ts";
import { readMachineLimits } from "../health/machine-limits.ts";
import { OverloadWatch, type SecondHealth } from "../health/overload-watch.ts";
import { describeMisfits, requireOpenFiles } from "../health/plan-fit.ts";
import { addScheduleLag, Collector } from "../outcome/collect.ts";
import { composeResult } from "../outcome/compose-result.ts";
import { describeMachine, describePlan, describeShard, describeTest } from "../outcome/describe-run.ts";
import { SeriesGatherer } from "../outcome/gather-series.ts";
import {
  maskLocate,
  maskResult,
  maskRun,
  maskSampleKind,
  maskSnapshot,
  maskThreshold,
} from "../outcome/mask-inputs.ts";
import { TrafficReporter } from "../outcome/report-traffic.ts";
import type { RecordedRun } from "../outcome/run-record.ts";
import { applyLoad } from "./apply-load.ts";
import { DefinitionSession } from "./definition-session.ts";
import { hashTest } from "./hash-test.ts";
import { LiveState } from "./live-state.ts";
import { LoadRun } from "./load-run.ts";
import type { LoadedTest } from "./load-test.ts";
import { RunRecording } from "./record-run.ts";
import {
  loadTimeoutMs,
  type Conclude,
  type JudgedPlan,
  type LiveRun,
  type PlannedLiveRun,
  type RunRequest,
  type SummarizeResult,
} from "./run-request.ts";
import { awaitLoadsOver, checkHandover, setUpTest, stagesHere } from "./set-up-test.ts";

/** Runs a loaded test on this machine. @throws {InvalidInput} with every problem, before anything was sent */
export function executeRun(request: RunRequest): Promise<TestResult> {
  return conductRun(request, (result) => Promise.resolve(result));
}

/**
 * Conducts a run in its order: load the test, plan, set up, launch and apply the load, tear down, judge,
 * conclude. Only this file knows that order. Always concludes with a result, unless the test or its options
 * are invalid: then it rejects with InvalidInput before any request is sent.
 */
export async function conductRun<Concluded>(
  request: RunRequest,
  conclude: Conclude<Concluded>,
): Promise<Concluded> {
  const run = beginRun(request);
  const { definition, state, interruptions, loaded, options } = run;
  try {
    const described = await definition.describe(loadTimeoutMs, interruptions.first);
    if ("failure" in described) {
      if (!interruptions.isInterrupted) state.fail(described.failure);
      return await conclude(await recordAndCompose(run, null, () => Promise.resolve()), null);
    }
    const planned = planRun(run, described.test);
    const isShard = options.sharding.shard !== null;
    const testHash = isShard ? hashTest(loaded.fingerprint, planned, described.feeds) : null;
    const prepared = { ...described, planned, testHash };
    const result = await recordAndCompose(run, prepared, (recorded) =>
      runStages({ ...run, ...recorded, ...prepared }),
    );
    return await conclude(result, summarizer(run, described.test));
  } catch (error) {
    throw error instanceof InvalidTest ? withPlaces(error, loaded) : error;
  } finally {
    await definition.leave();
  }
}

/** Starts the parts of a run that do not depend on its test. All output of the run is masked here. */
function beginRun(request: RunRequest): LiveRun {
  const { loaded, options, observer, interruptions, launch } = request;
  const { clients = builtInClients, samples = null, lead = null } = request;
  const clock = systemClock;
  // Mask variables that look secret from the start, before the test's declarations are known.
  const given = { ...options.envFile, ...options.env };
  const mask = createMask([...secretsByName(process.env), ...secretsByName(given)]);
  const withSources = createSourceNames(loaded.source, loaded.locate);
  const onOutput = (text: string): void =>
    observer.onLog({ level: "info", text: mask.hide(withSources(text.trimEnd())), from: ownWords`console` });
  const onLog = (line: LogLine): void => observer.onLog({ ...line, text: mask.hide(withSources(line.text)) });
  const onWarning = (text: string): void => observer.onWarning(mask.hide(text));
  const locate = maskLocate(loaded.locate, mask.hide);
  const traffic = new TrafficReporter(locate, onWarning);
  // A copy, because `process.env` itself cannot be sent to a thread.
  const variables = givenVariables(options, { environment: { ...loaded.environment } });
  const { source } = loaded;
  const definition = new DefinitionSession(
    { launch, source, clients, variables, clock, mask },
    onLog,
    onOutput,
    (seen) => traffic.report(seen),
  );
  return {
    ...request,
    clock,
    clients,
    samples,
    lead,
    limits: readMachineLimits(),
    mask,
    locate,
    traffic,
    definition,
    state: new LiveState({ clock, interruptions, definition, mask }),
    beganMs: clock.now(),
    beganAt: clock.date(),
    onLog,
    onOutput,
    onWarning,
  };
}

/** Plans the run once its test is known. @throws {InvalidInput} with every problem */
function planRun(run: LiveRun, test: ValidatedTest): JudgedPlan {
  const { options, clients, limits, mask, onWarning } = run;
  const { environment, fallbackName, locateThreshold, locateOption } = run.loaded;
  const isLed = run.lead !== null;
  const cores = availableParallelism();
  const surroundings = { environment, cores, fallbackName, clients, isLed, needsMonitors: true };
  const planned = makePlan(run.changeTest?.(test) ?? test, options, surroundings);
  mask.declare(planned.plan.secrets);
  for (const note of planned.notes) onWarning(note);
  requireOpenFiles(planned.plan, limits);
  for (const misfit of describeMisfits(planned.plan, limits)) onWarning(misfit);
  checkHandover(options.sharding);
  const thresholds = planned.thresholds.map((one) => ({
    // Tag values of samples arrive masked, so thresholds must filter by masked values.
    threshold: maskThreshold(one, mask.hide),
    source: locateThreshold(one.metric, one.expression),
  }));
  return { plan: planned.plan, described: describePlan(planned.plan, locateOption), thresholds };
}

/** Adds to each problem its position in the test's source, where it is known. */
function withPlaces(error: InvalidTest, loaded: LoadedTest): InvalidTest {
  const found = error.found.map((problem) => ({
    ...problem,
    position: problem.position ?? placeOf(problem, loaded) ?? undefined,
  }));
  return new InvalidTest(found, { cause: error });
}

function placeOf({ code, path }: TestProblem, { file, locateOption }: LoadedTest): SourcePosition | null {
  const whole = locateOption("");
  if (path === "") return code === "INVALID_OPTION" || file === null ? null : (whole ?? startOfFile(file));
  // Problems of rows are not in the test's source.
  if (path === "feeds") return null;
  const place = locateOption(path);
  const isUnknown = place?.line === whole?.line && place?.column === whole?.column;
  // The position of the whole test does not help to find one option.
  return isUnknown && code === undefined ? null : place;
}

/** Composes the result from the same head, inputs and state that are recorded. */
async function recordAndCompose(
  run: LiveRun,
  prepared: Pick<PlannedLiveRun, "planned" | "testHash"> | null,
  runThrough: (recorded: Pick<PlannedLiveRun, "collector" | "recordNow">) => Promise<void>,
): Promise<TestResult> {
  const { observer, recorder, state, locate, mask } = run;
  const planned = prepared?.planned ?? null;
  const head = headOf(run, prepared);
  if (planned !== null) observer.onStart?.(describeTest(head));
  const recording = recorder === null ? null : new RunRecording({ ...run, recorder, head });
  const collector = new Collector(head, (input) => recording?.add(input));
  if (observer.wantsSeries === true) collector.gathered = new SeriesGatherer();
  run.definition.onUnhandledError = ({ code, thrown: { message, position } }) => {
    const firstAtMs = state.durationMs;
    // As for the load's own code, errors before measuring begins are not counted.
    if (firstAtMs === 0 && (planned?.plan.warmupMs ?? 0) > 0) return;
    const unhandled = { code, cause: null, name: outsideIterations, message: mask.hide(message), position };
    collector.addErrors([{ ...unhandled, firstAtMs, count: 1 }]);
  };
  try {
    await runThrough({ collector, recordNow: () => recording?.record() });
    const ended = state.end();
    recording?.end(ended);
    return maskResult(
      composeResult({ head, state: ended, collector, isTruncated: false, locate }),
      mask.hide,
    );
  } finally {
    recording?.stop();
  }
}

/**
 * Returns the facts that are known before a run begins, as its result needs them. Without a plan if the
 * test's module threw.
 */
function headOf(
  { loaded, options, beganAt, mask }: LiveRun,
  prepared: Pick<PlannedLiveRun, "planned" | "testHash"> | null,
): RecordedRun {
  const { file, fingerprint } = loaded;
  const { isStrictGenerator, monitors, sharding } = options;
  const head: RecordedRun = {
    file,
    beganAt: beganAt.toISOString(),
    isStrictGenerator,
    allowsPartial: sharding.allowsPartial,
    shard: prepared === null ? null : describeShard(sharding, prepared.testHash),
    ...(fingerprint === null ? {} : { fingerprint }),
    plan: prepared?.planned.described ?? null,
    thresholds: prepared?.planned.thresholds ?? [],
    monitors: monitors.map(({ name, source }) => ({ name, source })),
    ...describeMachine(),
  };
  return maskRun(head, mask.hide);
}

async function runStages(run: PlannedLiveRun): Promise<void> {
  const { definition, interruptions, state } = run;
  const test = stagesHere(run);
  const setUp = await setUpTest(run);
  if ("failure" in setUp) {
    if (!interruptions.isInterrupted) state.fail(setUp.failure);
    return;
  }
  await applyLoad(run, launchLoad(run, setUp.data));
  const { isLoadOver, interruptedBy } = state.endLoad();
  if (!test.hasSetup && !test.hasTeardown) {
    void run.lead?.awaitLoadsOver();
    return;
  }
  run.recordNow();
  await awaitLoadsOver(run);
  if (!test.hasTeardown) return;
  if (isLoadOver) run.observer.onTeardown?.();
  const tornDown = await definition.teardown(test.teardownTimeoutMs, interruptions.second);
  const failure = "failure" in tornDown ? tornDown.failure : null;
  const hasCutOff = failure !== null && interruptions.isUrgent;
  const { signal } = interruptions;
  // A signal that ended the load does not concern teardown, unless a second one cut it off.
  if (signal !== null && (interruptedBy === null || hasCutOff))
    state.set({ teardownSignal: { signal, hasCutOff } });
  if (failure !== null && !hasCutOff) state.fail(failure);
}

/** Launches the load workers, which then wait for the start. All that they send is masked here. */
function launchLoad(run: PlannedLiveRun, data: unknown): LoadRun {
  const { loaded, planned, mask, state, collector } = run;
  const overload = new OverloadWatch();
  const warned = new Set<string>();
  const onMessage = (workerId: number, message: FromLoadWorker): void => {
    if (message.type === "snapshot") {
      const snapshot = maskSnapshot(message.snapshot, mask.hide);
      collector.add(workerId, snapshot);
      run.traffic.report(snapshot.unmeasured);
      const warning = overload.add(workerId, secondHealthOf(snapshot));
      if (warning !== null) run.onWarning(warning);
    } else if (message.type === "sampled")
      run.samples?.define(workerId, maskSampleKind(message.kind, mask.hide));
    else if (message.type === "log") {
      const { text, from } = message.line;
      // Each worker warns for the same reason.
      if (from !== ownOrigin || !warned.has(text)) run.onLog(message.line);
      if (from === ownOrigin) warned.add(text);
    } else if (message.type === "oddities")
      for (const oddity of message.oddities) load.vuStateOddities.add(oddity, oddity.count);
    else if (message.type === "secrets") for (const value of message.values) mask.seen.add(value);
    else if (message.type === "threw") {
      // The module throws in each worker for the same reason.
      if (load.workers.filter(({ hasFailedToLoad }) => hasFailedToLoad).length === 1)
        state.fail({ stage: "module", thrown: message.thrown });
    } else if (message.type === "abort") {
      const { reason, position } = message;
      state.abort(reason + atPosition(position && run.locate(position)?.source));
      load.stop("hard");
    }
  };
  const parts = {
    ...run,
    source: loaded.source,
    data,
    plan: planned.plan,
    tickets: new SharedTickets(planned.plan.scenarios.length),
    connections: new SharedConnections(),
    secrets: mask.known(),
  };
  const load = new LoadRun(parts, run.clock, { onMessage, onWarning: run.onWarning });
  state.watch(load);
  return load;
}

/** Returns the health of the worker that sent a snapshot, since its last snapshot. */
function secondHealthOf({ health, series }: WorkerSnapshot): SecondHealth {
  const lag = new Trend(3);
  addScheduleLag(lag, series);
  return { ...health.last, scheduleLagP99Ms: lag.count === 0 ? null : lag.percentile(99) };
}

function summarizer(
  { definition, interruptions, lead, locate, observer }: LiveRun,
  { hasSummary, summaryTimeoutMs }: ValidatedTest,
): SummarizeResult | null {
  if (!hasSummary || lead !== null) return null;
  return async (result) => {
    observer.onSummary?.();
    const outcome = await definition.summarize(result, summaryTimeoutMs, interruptions.second);
    if ("summary" in outcome) return outcome;
    const { message, position } = outcome.thrown;
    return { problem: message + atPosition(position && locate(position)?.source) };
  };
}
