import type { IntervalSnapshot, TestResult, ValidatedTest } from "@bearhug/sdk";

import type { Clock } from "../pacing/clock.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { FromLoadWorker, LogLine } from "../protocol/messages.ts";
import { SharedTickets } from "../protocol/shared-tickets.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { findAbortingThreshold } from "../thresholds/abort.ts";
import type { Locate, LocateThreshold } from "./assemble-result.ts";
import { Collector } from "./collect.ts";
import { DefinitionSession, type StageFailure, type StageOutcome } from "./definition-session.ts";
import { composeResult, type FinishedRun } from "./compose-result.ts";
import type { Interruptions } from "./interruptions.ts";
import { LoadRun } from "./load-run.ts";
import { createMask, maskDeep } from "./mask-secrets.ts";
import { progressOf } from "./progress.ts";

export interface TestRunRequest {
  readonly source: DefinitionSource;
  readonly launch: Launcher;
  readonly clock: Clock;
  /** Decides the run once the test is known; throws InvalidInput with every problem. */
  readonly plan: (test: ValidatedTest) => PlannedRun;
  /** The test's file as the user named it; null where there is none. */
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
}

/** Watches a run; what it is told holds no secrets. */
export interface RunObserver {
  onPlanned?(planned: PlannedRun): void;
  /** Once a second. */
  onProgress?(progress: IntervalSnapshot): void;
  onLog(line: LogLine): void;
  onWarning(text: string): void;
}

/** A second's snapshots have arrived by this long after its end. */
const settleMs = 200;

/**
 * The order of a run: load the test, decide, set up, apply the load, tear down, judge.
 * Only this file knows it. Resolves with the result, whatever happened; rejects with InvalidInput before anything was sent.
 */
export async function runTest(request: TestRunRequest): Promise<TestResult> {
  const beganMs = request.clock.now();
  let mask = createMask([]);
  const onOutput = (text: string): void => {
    request.observer.onLog({ level: "info", text: mask(text.trimEnd()), from: "console" });
  };
  const onLog = (line: LogLine): void => {
    request.observer.onLog({ ...line, text: mask(line.text) });
  };
  const definition = new DefinitionSession(request, onLog, onOutput);
  try {
    const described = await definition.describe();
    if ("failure" in described) return composeResult(emptyRun(request, definition, [described.failure]));
    const planned = request.plan(described.test);
    mask = createMask(planned.secrets);
    request.observer.onPlanned?.(planned);
    const finished = await runPlanned({
      ...request,
      planned,
      test: described.test,
      definition,
      mask,
      onLog,
      onOutput,
      beganMs,
    });
    return maskDeep(composeResult(finished), mask);
  } finally {
    await definition.close();
  }
}

interface PlannedRequest extends TestRunRequest {
  readonly planned: PlannedRun;
  readonly test: ValidatedTest;
  readonly definition: DefinitionSession;
  readonly mask: (text: string) => string;
  readonly onLog: (line: LogLine) => void;
  readonly onOutput: (text: string) => void;
  /** When the run began, by the clock. */
  readonly beganMs: number;
}

async function runPlanned(request: PlannedRequest): Promise<FinishedRun> {
  const { definition, planned, test, interruptions } = request;
  const setUp = await setUpTest(request);
  if ("failure" in setUp) {
    const failures = interruptions.isInterrupted ? [] : [setUp.failure];
    return { ...emptyRun(request, definition, failures), planned };
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
function emptyRun(
  request: TestRunRequest,
  definition: DefinitionSession,
  failures: readonly StageFailure[],
): FinishedRun {
  return {
    planned: null,
    collector: new Collector(),
    workers: [],
    startedAt: request.clock.date(),
    durationMs: 0,
    definition,
    failures,
    abortReason: null,
    interruptedBy: request.interruptions.signal,
    file: request.file,
    isStrictGenerator: request.isStrictGenerator,
    locate: request.locate,
    locateThreshold: request.locateThreshold,
  };
}

async function applyLoad(request: PlannedRequest, data: unknown): Promise<FinishedRun> {
  const { planned, launch, source, interruptions, observer, onOutput, onLog } = request;
  const { plan } = planned;
  const collector = new Collector();
  const failures: StageFailure[] = [];
  let abortReason: string | null = null;
  const onMessage = (workerId: number, message: FromLoadWorker): void => {
    if (message.type === "snapshot") collector.add(workerId, message.snapshot);
    else if (message.type === "log") onLog(message.line);
    else if (message.type === "threw") failures.push({ stage: "module", thrown: message.thrown });
    else if (message.type === "abort") {
      abortReason ??= message.reason;
      load.stop("hard");
    }
  };
  const tickets = new SharedTickets(plan.scenarios.length);
  const parts = { launch, source, plan, data, tickets, onOutput };
  const load = new LoadRun(parts, request.clock, {
    onMessage,
    onWarning: (text) => {
      observer.onWarning(text);
    },
  });
  await load.ready();
  void interruptions.first.then(() => {
    load.stop("graceful");
  });
  void interruptions.second.then(() => {
    load.stop("hard", true);
  });
  const startedAt = request.clock.date();
  const endWatching = watchEachSecond(request, load, collector);
  await load.run();
  endWatching();
  for (const warning of collector.warnings()) observer.onWarning(warning);
  return {
    ...emptyRun(request, request.definition, failures),
    planned,
    collector,
    workers: load.workers,
    startedAt,
    durationMs: load.endedAtMs - load.startedAtMs,
    abortReason,
    interruptedBy: interruptions.signal,
  };
}

/** Once a second: gauges, progress, and thresholds that end the run. Returns how to end it. */
function watchEachSecond(request: PlannedRequest, load: LoadRun, collector: Collector): () => void {
  const { clock } = request;
  let second = 0;
  let hasAborted = false;
  const tick = (): void => {
    const elapsedMs = clock.now() - load.startedAtMs;
    collector.gauge(second, load.accountings);
    request.observer.onProgress?.(
      progressOf(collector, load, second, request.planned.plan, clock.now() - request.beganMs),
    );
    second++;
    cancel = clock.at(load.startedAtMs + (second + 1) * 1000 + settleMs, tick);
    if (hasAborted) return;
    const failed = findAbortingThreshold(request.planned.thresholds, collector.store, elapsedMs);
    if (failed === undefined) return;
    hasAborted = true;
    request.observer.onWarning(`threshold ${failed.key}: ${failed.text} failed and ends the run early`);
    load.stop("hard");
  };
  let cancel = clock.at(clock.now() + 1000 + settleMs, tick);
  return () => {
    cancel();
    collector.gauge(second, load.accountings);
  };
}
