import type { FromLoadWorker } from "../protocol/messages.ts";
import { own } from "../masked-text.ts";
import { metricCatalog } from "../metrics/metric-catalog.ts";
import { SharedTickets } from "../protocol/shared-tickets.ts";
import { OverloadWatch } from "../health/overload-watch.ts";
import { ThresholdWindows } from "../thresholds/windows.ts";
import { accountIterations, accountReceivedBytes, accountRequests } from "../outcome/account.ts";
import type { Collector } from "../outcome/collect.ts";
import type { StageFailure } from "../outcome/run-record.ts";
import { emptyRun, type FinishedRun } from "../outcome/finished-run.ts";
import { LoadRun } from "./load-run.ts";
import { NotedCollector } from "../outcome/noted-collector.ts";
import { loadTimeoutMs, type PlannedRequest } from "./run-request.ts";
import { secondHealthOf } from "./second-health.ts";
import { watchData } from "./watch-data.ts";
import { watchGenerator } from "./watch-generator.ts";
import { watchLoad } from "./watch-load.ts";

/** Applies the load of a run, from launching the workers to the last one's end; resolves with all that is known then. */
export async function applyLoad(request: PlannedRequest, data: unknown): Promise<FinishedRun> {
  const { interruptions } = request;
  const { load, gathered } = launchLoad(request, data);
  const isReady = await load.ready(loadTimeoutMs, interruptions.first);
  if (!isReady || interruptions.isInterrupted) {
    await load.dismiss();
    return unstartedRun(request, gathered.failures);
  }
  void interruptions.first.then(() => {
    load.stop("graceful");
  });
  void interruptions.second.then(() => {
    load.stop("hard", true);
  });
  return runLoad(request, load, gathered);
}

/** Workers that did not come to wait for the start: the test did not load in them, or the user would not wait. */
function unstartedRun(request: PlannedRequest, failures: readonly StageFailure[]): FinishedRun {
  const thrown = { message: own`it was still loading in a worker`, position: null };
  const reasons = request.interruptions.isInterrupted
    ? []
    : [...failures, { stage: "module", thrown } as const];
  return { ...emptyRun(request, reasons), planned: request.planned };
}

async function runLoad(request: PlannedRequest, load: LoadRun, gathered: Gathered): Promise<FinishedRun> {
  const { planned, clock } = request;
  const { collector, failures } = gathered;
  const { warmupMs } = planned.plan;
  const startedAt = clock.date();
  const endGeneratorWatch = watchGenerator({ ...request, load, collector });
  const running = load.run();
  const endLoadWatch = watchAll(request, load, gathered);
  await running;
  const startsUntilMs = endLoadWatch();
  for (const warning of collector.warnings()) request.onWarning(warning);
  return {
    ...emptyRun(request, failures),
    ...gathered,
    planned,
    isLoadOver: true,
    workers: load.workers.map(({ id, lost }) => ({ id, lost })),
    process: endGeneratorWatch(),
    iterations: accountIterations(load.accountings),
    requests: accountRequests(load.accountings),
    warmup:
      warmupMs === 0
        ? null
        : {
            iterations: accountIterations(load.warmupAccountings),
            requests: accountRequests(load.warmupAccountings),
          },
    // A run may end within its warm-up.
    startedAt: new Date(startedAt.getTime() + Math.min(warmupMs, load.endedAtMs - load.startedAtMs)),
    durationMs: Math.max(0, load.endedAtMs - load.measuredFromMs),
    startsUntilMs,
  };
}

/** Watches what the load measures and what it receives; returns how to end that, which tells when iterations stopped to start. */
function watchAll(request: PlannedRequest, load: LoadRun, gathered: Gathered): () => number {
  const { planned, clock, onWarning } = request;
  const received = (): number => accountReceivedBytes(load);
  const endDataWatch = watchData(clock, received, planned.plan.maxDataBytes, () => {
    gathered.hasReceivedEnough = true;
    onWarning("reached the --max-data limit: stopping gracefully");
    load.stop("enough");
  });
  const endWatching = watchLoad({
    ...request,
    load,
    collector: gathered.collector,
    onProgress: (progress) => request.observer.onProgress?.(progress),
  });
  return () => {
    endDataWatch();
    return endWatching();
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
  const { planned, launch, source, feedRows, mask, onOutput } = request;
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
      request.traffic.tell(message.snapshot.unmeasured);
      const warning = overload.add(workerId, secondHealthOf(message.snapshot));
      if (warning !== null) request.onWarning(warning);
    } else if (message.type === "log") request.onLog(message.line);
    else if (message.type === "secrets") for (const value of message.values) mask.seen.add(value);
    else if (message.type === "threw") gathered.failures.push({ stage: "module", thrown: message.thrown });
    else if (message.type === "abort") {
      gathered.abortReason ??= message.reason;
      load.stop("hard");
    }
  };
  const tickets = new SharedTickets(planned.plan.scenarios.length);
  const parts = {
    launch,
    source,
    plan: planned.plan,
    data,
    feedRows,
    tickets,
    secrets: mask.known(),
    onOutput,
  };
  const load = new LoadRun(parts, request.clock, { onMessage, onWarning: request.onWarning });
  request.recording.watch(load, gathered);
  return { load, gathered };
}
