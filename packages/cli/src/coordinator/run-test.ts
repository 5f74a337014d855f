import type { IntervalSnapshot, TestResult, ValidatedTest } from "@bearhug/sdk";

import type { Clock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { FromLoadWorker, LogLine } from "../protocol/messages.ts";
import { metricCatalog } from "../metrics/metric-catalog.ts";
import type { RunRecorder } from "../protocol/recording.ts";
import { SharedTickets } from "../protocol/shared-tickets.ts";
import type { MachineLimits } from "../health/machine-limits.ts";
import { OverloadWatch } from "../health/overload-watch.ts";
import { describeMisfits } from "../health/plan-fit.ts";
import { createMask } from "../secret-mask.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { ThresholdWindows } from "../thresholds/windows.ts";
import type { Locate, LocateThreshold } from "./assemble-result.ts";
import { accountIterations, accountPhase, accountRequests } from "./account.ts";
import { Collector } from "./collect.ts";
import { DefinitionSession, type StageFailure, type StageOutcome } from "./definition-session.ts";
import { composeResult, type FinishedRun } from "./compose-result.ts";
import type { Interruptions } from "./interruptions.ts";
import { LoadRun } from "./load-run.ts";
import { maskResult } from "./mask-result.ts";
import { NotedCollector } from "./noted-collector.ts";
import { RunRecording } from "./record-run.ts";
import { secondHealthOf } from "./second-health.ts";
import { watchGenerator } from "./watch-generator.ts";
import { watchData } from "./watch-data.ts";
import { watchLoad } from "./watch-load.ts";

export interface TestRunRequest {
  readonly source: DefinitionSource;
  readonly launch: Launcher;
  readonly clock: Clock;
  /** Decides the run once the test is known; throws InvalidInput with every problem. */
  readonly plan: (test: ValidatedTest) => PlannedRun;
  /** The test's file as the user named it; null where there is none. */
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  /** What this machine allows. */
  readonly limits: MachineLimits;
  /** What the path to the target carries; null where the user did not say. */
  readonly linkBitsPerSecond: number | null;
  /** Masked from the start, before it is known what the test declares. */
  readonly knownSecrets: readonly string[];
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  /** Null: nothing outlives the process but what is reported. */
  readonly recorder: RunRecorder | null;
}

/** Watches a run; what it is told holds no secrets. */
export interface RunObserver {
  onPlanned?(planned: PlannedRun): void;
  /** Once a second. */
  onProgress?(progress: IntervalSnapshot): void;
  onLog(line: LogLine): void;
  onWarning(text: string): void;
}

/** The longest that a test's module may take to load. */
const loadTimeoutMs = 60_000;

/**
 * The order of a run: load the test, decide, set up, apply the load, tear down, judge.
 * Only this file knows it. Resolves with the result, whatever happened; rejects with InvalidInput before anything was sent.
 */
export async function runTest(request: TestRunRequest): Promise<TestResult> {
  const beganMs = request.clock.now();
  let mask = createMask(request.knownSecrets);
  const onOutput = (text: string): void => {
    request.observer.onLog({ level: "info", text: mask(text.trimEnd()), from: "console" });
  };
  const onLog = (line: LogLine): void => {
    request.observer.onLog({ ...line, text: mask(line.text) });
  };
  const onWarning = (text: string): void => {
    request.observer.onWarning(mask(text));
  };
  const definition = new DefinitionSession(request, onLog, onOutput);
  try {
    const described = await definition.describe(loadTimeoutMs, request.interruptions.first);
    if ("failure" in described) {
      const failures = request.interruptions.isInterrupted ? [] : [described.failure];
      return maskResult(composeResult(emptyRun(request, failures)), mask);
    }
    const planned = request.plan(described.test);
    mask = createMask([...request.knownSecrets, ...planned.plan.secrets]);
    request.observer.onPlanned?.(planned);
    for (const misfit of describeMisfits(planned.plan, request.limits)) onWarning(misfit);
    const recording = new RunRecording({ ...request, planned, definition, mask });
    const finished = await runPlanned({
      ...request,
      recording,
      planned,
      test: described.test,
      definition,
      onWarning,
      onLog,
      onOutput,
      beganMs,
    });
    return maskResult(composeResult(finished), mask);
  } finally {
    await definition.close();
  }
}

interface PlannedRequest extends TestRunRequest {
  readonly planned: PlannedRun;
  readonly test: ValidatedTest;
  readonly definition: DefinitionSession;
  readonly recording: RunRecording;
  readonly onWarning: (text: string) => void;
  readonly onLog: (line: LogLine) => void;
  readonly onOutput: (text: string) => void;
  /** When the run began, by the clock. */
  readonly beganMs: number;
}

async function runPlanned(request: PlannedRequest): Promise<FinishedRun> {
  const { definition, recording } = request;
  try {
    const staged = await runStages(request);
    const { setupAccounting, teardownAccounting } = definition;
    const phases = { setup: accountPhase(setupAccounting), teardown: accountPhase(teardownAccounting) };
    const finished = { ...staged, ...phases };
    recording.end(finished);
    return finished;
  } finally {
    recording.stop();
  }
}

async function runStages(request: PlannedRequest): Promise<FinishedRun> {
  const { definition, planned, test, interruptions } = request;
  const setUp = await setUpTest(request);
  if ("failure" in setUp) {
    const failures = interruptions.isInterrupted ? [] : [setUp.failure];
    return { ...emptyRun(request, failures), planned };
  }
  const loaded = await applyLoad(request, setUp.data);
  if (!test.hasTeardown) return loaded;
  const tornDown = await definition.teardown(test.teardownTimeoutMs, interruptions.second);
  if (!("failure" in tornDown) || interruptions.isUrgent) return loaded;
  return { ...loaded, failures: [...loaded.failures, tornDown.failure] };
}

/** Runs the setup, and lets the worker that holds the definition go when nothing is left for it to do. */
async function setUpTest({
  definition,
  planned,
  test,
  interruptions,
}: PlannedRequest): Promise<StageOutcome> {
  const isNeeded = test.hasSetup || test.hasTeardown;
  const outcome = isNeeded
    ? await definition.setup(planned.plan, test.setupTimeoutMs, interruptions.first)
    : { data: undefined };
  if (!test.hasTeardown) await definition.close();
  return outcome;
}

/** What a run looks like in which no load was applied. */
function emptyRun(request: TestRunRequest, failures: readonly StageFailure[]): FinishedRun {
  return {
    planned: null,
    collector: new Collector(),
    workers: [],
    process: null,
    iterations: accountIterations([]),
    requests: [],
    setup: { requests: [] },
    teardown: { requests: [] },
    warmup: null,
    startedAt: request.clock.date(),
    durationMs: 0,
    startsUntilMs: 0,
    failures,
    hasReceivedEnough: false,
    isTruncated: false,
    abortReason: null,
    interruptedBy: request.interruptions.signal,
    file: request.file,
    isStrictGenerator: request.isStrictGenerator,
    locate: request.locate,
    locateThreshold: request.locateThreshold,
  };
}

/** What the load workers have told. */
interface Gathered {
  readonly collector: Collector;
  readonly failures: StageFailure[];
  abortReason: string | null;
  hasReceivedEnough: boolean;
}

/** Starts the load workers; they then wait for the start. */
function launchLoad(request: PlannedRequest, data: unknown): { load: LoadRun; gathered: Gathered } {
  const { planned, launch, source, onOutput } = request;
  const windows = new ThresholdWindows(planned.thresholds, metricCatalog(planned.plan.metrics));
  const gathered: Gathered = {
    collector: new NotedCollector(windows, (input) => {
      request.recording.note(input);
    }),
    failures: [],
    abortReason: null,
    hasReceivedEnough: false,
  };
  const overload = new OverloadWatch();
  const onMessage = (workerId: number, message: FromLoadWorker): void => {
    if (message.type === "snapshot") {
      gathered.collector.add(workerId, message.snapshot);
      const warning = overload.add(workerId, secondHealthOf(message.snapshot));
      if (warning !== null) request.onWarning(warning);
    } else if (message.type === "log") request.onLog(message.line);
    else if (message.type === "threw") gathered.failures.push({ stage: "module", thrown: message.thrown });
    else if (message.type === "abort") {
      gathered.abortReason ??= message.reason;
      load.stop("hard");
    }
  };
  const tickets = new SharedTickets(planned.plan.scenarios.length);
  const parts = { launch, source, plan: planned.plan, data, tickets, onOutput };
  const load = new LoadRun(parts, request.clock, { onMessage, onWarning: request.onWarning });
  request.recording.watch(load, gathered);
  return { load, gathered };
}

async function applyLoad(request: PlannedRequest, data: unknown): Promise<FinishedRun> {
  const { planned, interruptions, onWarning } = request;
  const { load, gathered } = launchLoad(request, data);
  const isReady = await load.ready(loadTimeoutMs, interruptions.first);
  if (!isReady || interruptions.isInterrupted) {
    await load.dismiss();
    const thrown = { message: "it was still loading in a worker", position: null };
    const reasons = interruptions.isInterrupted
      ? []
      : [...gathered.failures, { stage: "module", thrown } as const];
    return { ...emptyRun(request, reasons), planned };
  }
  void interruptions.first.then(() => {
    load.stop("graceful");
  });
  void interruptions.second.then(() => {
    load.stop("hard", true);
  });
  const startedAt = request.clock.date();
  const endGeneratorWatch = watchGenerator({ ...request, load, collector: gathered.collector });
  const running = load.run();
  const endDataWatch = watchData(request.clock, load, planned.plan.maxDataBytes, () => {
    gathered.hasReceivedEnough = true;
    onWarning("as much was received as --max-data allows: ending gracefully");
    load.stop("graceful");
  });
  const endWatching = watchLoad({
    clock: request.clock,
    planned,
    load,
    collector: gathered.collector,
    beganMs: request.beganMs,
    onProgress: (progress) => request.observer.onProgress?.(progress),
    onWarning,
  });
  await running;
  const startsUntilMs = endWatching();
  endDataWatch();
  for (const warning of gathered.collector.warnings()) onWarning(warning);
  return {
    ...emptyRun(request, gathered.failures),
    ...gathered,
    planned,
    workers: load.workers.map(({ id, lost }) => ({ id, lost })),
    process: endGeneratorWatch(),
    iterations: accountIterations(load.accountings),
    requests: accountRequests(load.accountings),
    warmup:
      planned.plan.warmupMs === 0
        ? null
        : {
            iterations: accountIterations(load.warmupAccountings),
            requests: accountRequests(load.warmupAccountings),
          },
    startedAt: new Date(startedAt.getTime() + planned.plan.warmupMs),
    durationMs: Math.max(0, load.endedAtMs - load.measuredFromMs),
    startsUntilMs,
  };
}
