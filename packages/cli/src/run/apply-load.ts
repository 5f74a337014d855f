import { OverloadWatch } from "../health/overload-watch.ts";
import { own } from "../masked-text.ts";
import { accountReceivedBytes } from "../outcome/account.ts";
import { formatLateness } from "../outcome/verdict/shards.ts";
import { maskReport, maskSampleKind, maskSnapshot } from "../outcome/mask-inputs.ts";
import { watchMonitors, type MonitorsWatch } from "../monitors/watch-monitors.ts";
import type { FromLoadWorker } from "../protocol/messages.ts";
import { SharedTickets } from "../protocol/shared-tickets.ts";
import { awaitStart } from "./common-start.ts";
import { LoadRun } from "./load-run.ts";
import { loadTimeoutMs, type PlannedRequest } from "./run-request.ts";
import { secondHealthOf } from "./second-health.ts";
import { shareOfData, watchData } from "./watch-data.ts";
import { watchGenerator, type GeneratorWatch } from "./watch-generator.ts";
import { watchLoad } from "./watch-load.ts";

/** Applies the load of a run, from launching the workers to the last one's end. Its state and samples tell what came of it. */
export async function applyLoad(request: PlannedRequest, data: unknown): Promise<void> {
  const load = launchLoad(request, data);
  const monitors = watchMonitors(request.monitors, {
    onReport: (report) => {
      request.collector.monitor(maskReport(report, request.mask.hide));
    },
    onWarning: request.onWarning,
  });
  try {
    await applyWatched(request, load, monitors);
  } finally {
    monitors.end();
  }
}

async function applyWatched(request: PlannedRequest, load: LoadRun, monitors: MonitorsWatch): Promise<void> {
  const { interruptions, state } = request;
  const isReady = await load.ready(loadTimeoutMs, interruptions.first);
  if (!isReady || interruptions.isInterrupted) {
    await load.dismiss();
    state.watch(null);
    // Workers that did not come to wait for the start: the test did not load in them, or the user would not wait.
    const thrown = { message: own`it was still loading in a worker`, position: null };
    if (interruptions.isInterrupted) state.set({ failures: [] });
    else state.fail({ stage: "module", thrown });
    return;
  }
  const startAtMs = await awaitStart(request);
  if (startAtMs === "interrupted") {
    await load.dismiss();
    state.watch(null);
    return;
  }
  void interruptions.first.then(() => {
    load.stop("graceful");
  });
  void interruptions.second.then(() => {
    load.stop("hard", true);
  });
  void interruptions.loadCut.then(() => {
    load.stop("hard");
  });
  await runLoad(request, load, monitors, startAtMs);
}

async function runLoad(
  request: PlannedRequest,
  load: LoadRun,
  monitors: MonitorsWatch,
  startAtMs: number | null,
): Promise<void> {
  const { planned, clock, collector, state } = request;
  const untilStartMs = startAtMs === null ? 0 : startAtMs - clock.now();
  const startedAtMs = request.sharding.startAtMs ?? clock.date().getTime() + untilStartMs;
  const measuredAfter = (warmupMs: number): string => new Date(startedAtMs + warmupMs).toISOString();
  state.set({ startedAt: measuredAfter(planned.plan.warmupMs) });
  const generator = watchGenerator({ ...request, load });
  const running = load.run(startAtMs);
  monitors.begin(load.measuredFromMs);
  if (load.lateMs > 0) {
    state.set({ lateMs: load.lateMs });
    request.onWarning(
      `started ${formatLateness(load.lateMs)} after the common start: arrivals due before are dropped`,
    );
  }
  const endLoadWatch = watchAll(request, load, generator);
  await running;
  const startsUntilMs = endLoadWatch();
  for (const warning of collector.warnings()) request.onWarning(warning);
  state.set({
    isLoadOver: true,
    process: generator.end(),
    startsUntilMs,
    // A run may end within its warm-up.
    startedAt: measuredAfter(Math.min(planned.plan.warmupMs, load.endedAtMs - load.startedAtMs)),
  });
  await load.leave();
}

/** Watches what the load measures and what it receives; returns how to end that, which tells when iterations stopped to start. */
function watchAll(request: PlannedRequest, load: LoadRun, generator: GeneratorWatch): () => number {
  const { planned, sharding, clock, state, onWarning, observer } = request;
  const received = (): number => accountReceivedBytes(load);
  const most = shareOfData(planned.plan.maxDataBytes, sharding.shard);
  const endDataWatch = watchData(clock, received, most, () => {
    state.set({ hasReceivedEnough: true });
    const limit = sharding.shard === null ? "the --max-data limit" : "this shard's part of --max-data";
    onWarning(`reached ${limit}: stopping gracefully`);
    load.stop("enough");
  });
  const endWatching = watchLoad({
    ...request,
    load,
    usedByProcess: generator.read,
    onProgress: observer.onProgress?.bind(observer) ?? null,
    onRest: (rest) => observer.onRest?.(rest),
  });
  return () => {
    endDataWatch();
    return endWatching();
  };
}

/** Starts the load workers; they then wait for the start. */
function launchLoad(request: PlannedRequest, data: unknown): LoadRun {
  const { planned, launch, source, feeds, mask, state, collector, onOutput } = request;
  const overload = new OverloadWatch();
  const onMessage = (workerId: number, message: FromLoadWorker): void => {
    if (message.type === "snapshot") {
      const snapshot = maskSnapshot(message.snapshot, mask.hide);
      collector.add(workerId, snapshot);
      request.traffic.tell(snapshot.unmeasured);
      const warning = overload.add(workerId, secondHealthOf(snapshot));
      if (warning !== null) request.onWarning(warning);
    } else if (message.type === "sampled")
      request.samples?.define(workerId, maskSampleKind(message.kind, mask.hide));
    else if (message.type === "log") request.onLog(message.line);
    else if (message.type === "secrets") for (const value of message.values) mask.seen.add(value);
    else if (message.type === "threw") state.fail({ stage: "module", thrown: message.thrown });
    else if (message.type === "abort") {
      const { reason, position } = message;
      const source = position === null ? null : (request.locate(position)?.source ?? null);
      state.abort(source === null ? reason : `${reason} at ${source.file}:${source.line}:${source.column}`);
      load.stop("hard");
    }
  };
  const parts = {
    launch,
    source,
    data,
    feeds,
    onOutput,
    samples: request.samples,
    plan: planned.plan,
    tickets: new SharedTickets(planned.plan.scenarios.length),
    secrets: mask.known(),
  };
  const load = new LoadRun(parts, request.clock, { onMessage, onWarning: request.onWarning });
  state.watch(load);
  return load;
}
