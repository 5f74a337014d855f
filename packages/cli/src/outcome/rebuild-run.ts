import type { TestResult } from "@bearhug/sdk";

import { metricCatalog } from "../metrics/metric-catalog.ts";
import type { BundlePosition } from "../metrics/error-log.ts";
import type { RecordedMoment, RecordedPlace, RecordedRun } from "./run-record.ts";
import { ThresholdWindows } from "../thresholds/windows.ts";
import { accountIterations } from "./account.ts";
import { Collector } from "./collect.ts";
import { composeResult } from "./compose-result.ts";
import type { FinishedRun } from "./finished-run.ts";
import { replay } from "./noted-collector.ts";
import { killedWithProcess } from "./verdict/cut-short.ts";

/** The result of a run whose process is gone, from what was recorded of it. */
export async function rebuildRun(
  recorded: RecordedRun,
  moments: AsyncIterable<RecordedMoment>,
): Promise<TestResult> {
  const { plan } = recorded;
  const thresholds = recorded.thresholds.map(({ threshold }) => threshold);
  const collector = new Collector(new ThresholdWindows(thresholds, metricCatalog(plan.metrics)));
  const places = new Map<string, RecordedPlace>();
  let last = nothingTold(recorded);
  for await (const moment of moments) {
    for (const input of moment.inputs) replay(collector, input);
    for (const place of moment.places) places.set(keyOf(place.position), place);
    last = moment;
  }
  const sources = new Map(
    recorded.thresholds.map(({ threshold: { key, text }, source }) => [JSON.stringify([key, text]), source]),
  );
  const run: FinishedRun = {
    ...last,
    ...last.accounting,
    file: recorded.file,
    isStrictGenerator: recorded.isStrictGenerator,
    planned: { plan, thresholds },
    collector,
    startedAt: new Date(last.startedAt ?? recorded.beganAt),
    isTruncated: !last.isEnd,
    workers: last.workers.map(({ id, lost, isRunning }) => ({
      id,
      lost: lost ?? (isRunning ? killedWithProcess : null),
    })),
    locate: (position) => places.get(keyOf(position)) ?? null,
    locateThreshold: (key, text) => sources.get(JSON.stringify([key, text])) ?? null,
  };
  return { ...composeResult(run), tool: recorded.tool, environment: recorded.environment };
}

function keyOf({ line, column }: BundlePosition): string {
  return `${line}:${column}`;
}

function nothingTold({ plan }: RecordedRun): RecordedMoment {
  const none = { requests: [] };
  const warmup = plan.warmupMs === 0 ? null : { iterations: accountIterations([]), ...none };
  return {
    inputs: [],
    places: [],
    startedAt: null,
    durationMs: 0,
    startsUntilMs: 0,
    accounting: { iterations: accountIterations([]), ...none, setup: none, teardown: none, warmup },
    process: null,
    workers: [],
    failures: [],
    unmeasured: [],
    abortReason: null,
    hasReceivedEnough: false,
    interruptedBy: null,
    isLoadOver: false,
    teardownSignal: null,
    isEnd: false,
  };
}
