import type { TestResult } from "@bearhug/sdk";

import type { LogLine } from "../protocol/messages.ts";
import { describeMisfits } from "../health/plan-fit.ts";
import { own } from "../masked-text.ts";
import { createMask, type Mask } from "../secret-mask.ts";
import { accountStages } from "../outcome/account.ts";
import { applyLoad } from "../coordinator/apply-load.ts";
import { composeResult } from "../outcome/compose-result.ts";
import { DefinitionSession, type StageOutcome } from "../coordinator/definition-session.ts";
import { emptyRun, type FinishedRun } from "../outcome/finished-run.ts";
import type { Interruptions } from "../coordinator/interruptions.ts";
import { maskThreshold } from "../outcome/mask-threshold.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { maskResult } from "../outcome/mask-result.ts";
import { RunRecording } from "../coordinator/record-run.ts";
import { loadTimeoutMs, type PlannedRequest, type TestRunRequest } from "../coordinator/run-request.ts";
import { TrafficTeller } from "../outcome/tell-traffic.ts";

/**
 * The order of a run: load the test, decide, set up, apply the load, tear down, judge.
 * Only this file knows it. Resolves with the result, whatever happened; rejects with InvalidInput before anything was sent.
 */
export async function runTest(request: TestRunRequest): Promise<TestResult> {
  const beganMs = request.clock.now();
  const mask = createMask(request.knownSecrets);
  const onOutput = (text: string): void => {
    request.observer.onLog({ level: "info", text: mask.hide(text.trimEnd()), from: own`console` });
  };
  const onLog = (line: LogLine): void => {
    request.observer.onLog({ ...line, text: mask.hide(line.text) });
  };
  const onWarning = (text: string): void => {
    request.observer.onWarning(mask.hide(text));
  };
  const traffic = new TrafficTeller(request.locate, onWarning);
  const definition = new DefinitionSession({ ...request, mask }, onLog, onOutput, (seen) => {
    traffic.tell(seen);
  });
  try {
    const described = await definition.describe(loadTimeoutMs, request.interruptions.first);
    if ("failure" in described) {
      const failures = request.interruptions.isInterrupted ? [] : [described.failure];
      const unmeasured = definition.unmeasured.all();
      return maskResult(composeResult({ ...emptyRun(request, failures), unmeasured }), mask.hide);
    }
    const planned = withoutSecrets(request.plan(described.test), mask);
    request.observer.onPlanned?.(planned);
    for (const note of planned.notes) onWarning(note);
    for (const misfit of describeMisfits(planned.plan, request.limits)) onWarning(misfit);
    const recording = new RunRecording({ ...request, planned, definition, mask });
    const finished = await runPlanned({
      ...request,
      recording,
      mask,
      planned,
      test: described.test,
      feedRows: described.feedRows,
      definition,
      onWarning,
      onLog,
      onOutput,
      traffic,
      beganMs,
    });
    return maskResult(composeResult(finished), mask.hide);
  } finally {
    await definition.close();
  }
}

/** Samples come with the values of their tags masked: thresholds look for those. */
function withoutSecrets(planned: PlannedRun, mask: Mask): PlannedRun {
  mask.declare(planned.plan.secrets);
  return { ...planned, thresholds: planned.thresholds.map((one) => maskThreshold(one, mask.hide)) };
}

async function runPlanned(request: PlannedRequest): Promise<FinishedRun> {
  const { definition, recording } = request;
  try {
    const staged = await runStages(request);
    const unmeasured = definition.unmeasured.all();
    const finished = { ...staged, ...accountStages(definition), unmeasured };
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
  request.recording.endLoad(loaded);
  if (loaded.isLoadOver) request.observer.onTeardown?.();
  const tornDown = await definition.teardown(test.teardownTimeoutMs, interruptions.second);
  const failure = "failure" in tornDown ? tornDown.failure : null;
  const hasCutOff = failure !== null && interruptions.isUrgent;
  const teardownSignal = signalOf(interruptions, loaded, hasCutOff);
  if (failure === null || hasCutOff) return { ...loaded, teardownSignal };
  return { ...loaded, teardownSignal, failures: [...loaded.failures, failure] };
}

/** What the user said in teardown; null for nothing, or nothing that teardown heeds. */
function signalOf(
  { signal }: Interruptions,
  { interruptedBy }: FinishedRun,
  hasCutOff: boolean,
): FinishedRun["teardownSignal"] {
  if (signal === null || (interruptedBy !== null && !hasCutOff)) return null;
  return { signal, hasCutOff };
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
