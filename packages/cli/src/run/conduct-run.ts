import type { TestResult } from "@bearhug/sdk";
import type { ValidatedTest } from "@bearhug/sdk/internal";

import { applyLoad } from "./apply-load.ts";
import { DefinitionSession } from "./definition-session.ts";
import { LiveState } from "./live-state.ts";
import {
  loadTimeoutMs,
  type CommonParts,
  type Conclude,
  type PlannedRequest,
  type SummarizeResult,
  type TestRunRequest,
} from "./run-request.ts";
import { describeMisfits, requireOpenFiles } from "../health/plan-fit.ts";
import { own } from "../masked-text.ts";
import { composeResult } from "../outcome/compose-result.ts";
import { createCollector } from "../outcome/create-collector.ts";
import { describeRun, describeShard, describeTest } from "../outcome/describe-run.ts";
import { SeriesGatherer } from "../outcome/gather-series.ts";
import { maskLocate, maskResult, maskRun, maskThreshold } from "../outcome/mask-inputs.ts";
import { TrafficTeller } from "../outcome/tell-traffic.ts";
import type { LogLine } from "../protocol/messages.ts";
import { createMask, type Mask } from "../secret-mask.ts";
import { createSourceNames } from "../test-file/bundle-positions.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { hashTest } from "./hash-test.ts";
import { RunRecording } from "./record-run.ts";
import { awaitLoadsOver, checkHandover, setUpTest, stagesHere } from "./set-up-test.ts";

/**
 * The order of a run: load the test, decide, set up, apply the load, tear down, judge, conclude.
 * Only this file knows it. Concludes with the result, whatever happened; rejects with InvalidInput before anything was sent.
 */
export async function conductRun<Told>(request: TestRunRequest, conclude: Conclude<Told>): Promise<Told> {
  const parts = prepareParts(request);
  const { definition, state, mask, onWarning } = parts;
  try {
    const described = await definition.describe(loadTimeoutMs, request.interruptions.first);
    if ("failure" in described) {
      if (!request.interruptions.isInterrupted) state.fail(described.failure);
      return await conclude(await recordAndCompose(parts, null, () => Promise.resolve()), null);
    }
    const planned = withoutSecrets(request.plan(described.test, request.clients), mask);
    for (const note of planned.notes) onWarning(note);
    requireOpenFiles(planned.plan, request.limits);
    for (const misfit of describeMisfits(planned.plan, request.limits)) onWarning(misfit);
    checkHandover(request.sharding);
    const isShard = request.sharding.shard !== null;
    const testHash = isShard ? hashTest(request.fingerprint, planned, described.feeds) : null;
    const decided = { ...described, planned, testHash };
    const result = await recordAndCompose(parts, decided, (recorded) =>
      runStages({ ...parts, ...recorded, ...decided }),
    );
    return await conclude(result, summarizer(parts, described.test));
  } finally {
    await definition.leave();
  }
}

/** Everything that a run needs before its test is known. What leaves it is masked here. */
function prepareParts(request: TestRunRequest): CommonParts {
  const { clock, interruptions, observer } = request;
  const mask = createMask(request.knownSecrets);
  const withSources = createSourceNames(request.source, request.locate);
  const onOutput = (text: string): void => {
    observer.onLog({ level: "info", text: mask.hide(withSources(text.trimEnd())), from: own`console` });
  };
  const onLog = (line: LogLine): void => {
    observer.onLog({ ...line, text: mask.hide(withSources(line.text)) });
  };
  const onWarning = (text: string): void => {
    observer.onWarning(mask.hide(text));
  };
  const locate = maskLocate(request.locate, mask.hide);
  const traffic = new TrafficTeller(locate, onWarning);
  const definition = new DefinitionSession({ ...request, mask }, onLog, onOutput, (seen) => {
    traffic.tell(seen);
  });
  const state = new LiveState({ clock, interruptions, definition, mask });
  const [beganMs, beganAt] = [clock.now(), clock.date()];
  return {
    ...request,
    mask,
    locate,
    traffic,
    definition,
    state,
    beganMs,
    beganAt,
    onLog,
    onOutput,
    onWarning,
  };
}

/** Samples come with the values of their tags masked: thresholds look for those. */
function withoutSecrets(planned: PlannedRun, mask: Mask): PlannedRun {
  mask.declare(planned.plan.secrets);
  return { ...planned, thresholds: planned.thresholds.map((one) => maskThreshold(one, mask.hide)) };
}

/** Composes the result from the same head, inputs and state that are recorded. */
async function recordAndCompose(
  parts: CommonParts,
  decided: Pick<PlannedRequest, "planned" | "testHash"> | null,
  runThrough: (recorded: Pick<PlannedRequest, "collector" | "tellRecorder">) => Promise<void>,
): Promise<TestResult> {
  const { recorder, state, locate, mask } = parts;
  const planned = decided?.planned ?? null;
  const { sharding } = parts;
  const shard = decided === null ? null : describeShard(sharding, decided.testHash);
  const { allowsPartial } = sharding;
  const head = maskRun(describeRun({ ...parts, planned, shard, allowsPartial }), mask.hide);
  if (planned !== null) parts.observer.onStart?.(describeTest(head));
  const recording = recorder === null ? null : new RunRecording({ ...parts, recorder, head });
  const collector = createCollector(head, (input) => recording?.note(input));
  if (parts.observer.wantsSeries === true) collector.gathered = new SeriesGatherer();
  try {
    await runThrough({ collector, tellRecorder: () => recording?.tell() });
    const ended = state.now();
    recording?.end(ended);
    return maskResult(
      composeResult({ head, state: ended, collector, isTruncated: false, locate }),
      mask.hide,
    );
  } finally {
    recording?.stop();
  }
}

async function runStages(request: PlannedRequest): Promise<void> {
  const { definition, interruptions, state } = request;
  const test = stagesHere(request.test, request.sharding);
  const setUp = await setUpTest(request);
  if ("failure" in setUp) {
    if (!interruptions.isInterrupted) state.fail(setUp.failure);
    return;
  }
  await applyLoad(request, setUp.data);
  const { isLoadOver, interruptedBy } = state.endLoad();
  if (!test.hasTeardown) {
    void request.lead?.awaitLoadsOver();
    return;
  }
  request.tellRecorder();
  await awaitLoadsOver(request);
  if (isLoadOver) request.observer.onTeardown?.();
  const tornDown = await definition.teardown(test.teardownTimeoutMs, interruptions.second);
  const failure = "failure" in tornDown ? tornDown.failure : null;
  const hasCutOff = failure !== null && interruptions.isUrgent;
  const { signal } = interruptions;
  // A signal that ended the load says nothing of teardown, unless it came again.
  if (signal !== null && (interruptedBy === null || hasCutOff))
    state.set({ teardownSignal: { signal, hasCutOff } });
  if (failure !== null && !hasCutOff) state.fail(failure);
}

function summarizer(
  { definition, interruptions, locate, observer }: CommonParts,
  { hasSummary, summaryTimeoutMs }: ValidatedTest,
): SummarizeResult | null {
  if (!hasSummary) return null;
  return async (result) => {
    observer.onSummary?.();
    const outcome = await definition.summarize(result, summaryTimeoutMs, interruptions.second);
    if ("summary" in outcome) return outcome;
    const { message, position } = outcome.thrown;
    const source = position === null ? null : (locate(position)?.source ?? null);
    return {
      problem: source === null ? message : `${message} at ${source.file}:${source.line}:${source.column}`,
    };
  };
}
