import type { ErrorLog } from "@bearhug/metrics/error-log";
import type { UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";
import type { TestResult } from "@bearhug/sdk";
import type { OverloadResult } from "@bearhug/sdk/result";

import {
  checkResults,
  errorResults,
  expectedResponses,
  intervalResults,
  metricResults,
  otherClients,
  seriesResults,
} from "./assemble-result.ts";
import { attributeRise } from "./attribution/attribute-rise.ts";
import { describeTest } from "./describe-run.ts";
import { generatorHealth } from "./generator-health.ts";
import { mergedResults, summarizer } from "./merged-results.ts";
import { monitoredMetrics } from "./monitor-store.ts";
import { judgeThresholds } from "./judge-thresholds.ts";
import type { Run } from "./run.ts";
import { unmeasuredResults } from "./report-traffic.ts";
import { variantsResult } from "./variants-result.ts";
import { decideVerdict, describeEnding, type Measured } from "./verdict/decide-verdict.ts";
import { classifyOverload } from "./overload/classify-overload.ts";
import { readSeconds } from "./overload/read-seconds.ts";

/** Composes the result document of a run. */
export function composeResult(run: Run): TestResult {
  const { head, state } = run;
  const measured = describeMeasures(run);
  const exemplars = run.collector.exemplars.result(measured.pages);
  const attribution = attributeRise(measured);
  const result: TestResult = {
    schema: "bearhug/result@1",
    tool: head.tool,
    ...describeTest(head),
    startedAt: state.startedAt ?? head.beganAt,
    durationMs: state.durationMs,
    environment: head.environment,
    shard: head.shard === null ? null : { index: head.shard.index, count: head.shard.count },
    truncated: run.isTruncated,
    ...decideVerdict(describeEnding(run, measured)),
    ...measured,
    ...(attribution === null ? {} : { attribution }),
    ...(exemplars && { exemplars }),
    unmeasured: unmeasuredResults(allUnmeasured(run), run.locate),
  };
  const overload = head.plan?.overload;
  return overload === undefined ? result : { ...result, overload: judgeOverload(result, overload) };
}

function describeMeasures(run: Run): Measured {
  const { head, state, collector, locate } = run;
  const { plan } = head;
  const { durationMs, accounting } = state;
  const { store } = collector;
  const blocks = collector.blocks.result();
  const thresholds = head.thresholds.map(({ threshold }) => threshold);
  const { intervals, widthMs } = collector.timeline.engine;
  const monitors = collector.monitors.results(head.monitors, { count: intervals.length, widthMs });
  const declared = plan ?? { clients: [], metrics: {} };
  const summarize = summarizer(declared, durationMs);
  const variants = variantsResult(run);
  return {
    generator:
      run.generator ??
      generatorHealth({
        workers: state.workers,
        process: state.process,
        collector,
        durationMs,
        scheduled: accounting.iterations.scheduled,
        hasOneTarget: plan?.allowHosts.length === 0,
      }),
    accounting,
    thresholds: judgeThresholds(run),
    checks: checkResults(store, collector.checkFaults, locate),
    metrics: { ...metricResults(store, declared, thresholds, durationMs), ...monitoredMetrics(monitors) },
    ...expectedResponses(store, declared, thresholds, durationMs),
    ...otherClients(declared),
    series: seriesResults(store, declared, summarize, blocks.series),
    blockMs: blocks.blockMs,
    ...mergedResults(store, declared, summarize),
    intervals: intervalResults(collector.timeline, durationMs),
    errors: errorResults(allErrors(run), locate),
    monitors,
    ...(variants && { variants }),
  };
}

/** Returns unmeasured traffic in the order of the run's stages. */
function allUnmeasured({ state: { unmeasured }, collector }: Run): UnmeasuredTraffic[] {
  const isLate = ({ stage }: UnmeasuredTraffic): boolean => stage === "teardown";
  const early = unmeasured.filter((traffic) => !isLate(traffic));
  return [...early, ...collector.unmeasured.all(), ...unmeasured.filter(isLate)];
}

/** Adds exceptions of the test's code outside of scenarios to the errors of the load. */
function allErrors({ collector, state: { failures } }: Run): ErrorLog {
  for (const { stage, thrown } of failures) {
    const { message, position } = thrown;
    collector.errors.add({ code: "TEST_THREW", cause: null, message, name: stage, firstAtMs: 0, position });
  }
  return collector.errors;
}

/** Judges how the target handled a load past its rate. */
export function judgeOverload(
  result: Pick<TestResult, "intervals" | "generator">,
  load: OverloadLoad,
): OverloadResult {
  const overload = classifyOverload(load, readSeconds(result));
  if (result.generator.verdict !== "saturated") return overload;
  return {
    ...overload,
    kind: "unclear",
    because: "the load generator was saturated, so the figures may be its own",
  };
}
