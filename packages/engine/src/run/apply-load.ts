import { setFlagsFromString } from "node:v8";

import { sumBy } from "@bearhug/metrics/sum";
import { awaitUntil } from "@bearhug/plan/pacing/clock";
import type { ProcessResult } from "@bearhug/sdk/result";
import { describeLongDuration } from "@bearhug/text/duration";
import { ownWords } from "@bearhug/text/masked-text";

import { watchProcess, type WatchedSpan } from "../health/watch-process.ts";
import { watchMonitors, type MonitorsWatch } from "../monitors/watch-monitors.ts";
import { accountBytes } from "../outcome/account.ts";
import { runLimitNames, runLimits } from "../outcome/run-limits.ts";
import { maskReport } from "../outcome/mask-inputs.ts";
import { formatLateness } from "../outcome/verdict/shards.ts";
import type { LoadRun } from "./load-run.ts";
import { loadTimeoutMs, type LiveRun, type PlannedLiveRun } from "./run-request.ts";
import { shareOfLimit, watchLimit } from "./watch-limit.ts";
import { watchLoad } from "./watch-load.ts";

/**
 * Applies the load of a run, from the start of its launched workers to the end of the last one. The outcome is
 * in the run's state and samples.
 */
export async function applyLoad(run: PlannedLiveRun, load: LoadRun): Promise<void> {
  const monitors = watchMonitors(run.options.monitors, {
    onReport: (report) => run.collector.monitor(maskReport(report, run.mask.hide)),
    onWarning: run.onWarning,
  });
  try {
    await applyWatched(run, load, monitors);
  } finally {
    monitors.end();
  }
}

async function applyWatched(run: PlannedLiveRun, load: LoadRun, monitors: MonitorsWatch): Promise<void> {
  const { interruptions, state } = run;
  const isReady = await load.ready(loadTimeoutMs, interruptions.first);
  if (isReady) await Promise.race([monitors.ready, interruptions.first]);
  if (!isReady || interruptions.isInterrupted) {
    await load.dismiss();
    state.watch(null);
    // The test threw in some workers, or did not load in them in time, or the user interrupted.
    const thrown = { message: ownWords`it was still loading in a worker`, position: null };
    if (interruptions.isInterrupted) state.set({ failures: [] });
    else if (!load.hasFailedToLoad) state.fail({ stage: "module", thrown });
    return;
  }
  const startAtMs = await awaitStart(run);
  if (startAtMs === "interrupted") {
    await load.dismiss();
    state.watch(null);
    return;
  }
  void interruptions.first.then(() => load.stop("graceful"));
  void interruptions.second.then(() => load.stop("hard", true));
  void interruptions.loadEnded.then((abortedBy) => {
    state.set({ abortedBy });
    load.stop("hard");
  });
  await runLoad(run, load, monitors, startAtMs);
}

/** The workers themselves wait for this last part, because their timers are exact. */
const leadMs = 100;

/**
 * Waits until shortly before the common start of several machines, or until the user interrupts.
 * Resolves to the clock's time of that start; null without one; "interrupted" if the run must not start.
 */
async function awaitStart(run: LiveRun): Promise<number | "interrupted" | null> {
  const { clock, options, interruptions, onWarning, lead } = run;
  const { startAtMs } = options.sharding;
  if (lead !== null) {
    const atMs = await Promise.race([lead.awaitStart(), interruptions.first]);
    return atMs === undefined ? "interrupted" : waitUntilNear(run, () => atMs - clock.now());
  }
  if (startAtMs === null) return null;
  // Read again after each wait, because the time of day may have been changed meanwhile.
  const leftMs = (): number => startAtMs - clock.date().getTime();
  if (leftMs() > 1000) onWarning(`waiting ${describeWait(leftMs())} for --start-at`);
  return waitUntilNear(run, leftMs);
}

function describeWait(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(0)} s` : describeLongDuration(ms);
}

async function waitUntilNear(
  { clock, interruptions }: LiveRun,
  leftMs: () => number,
): Promise<number | "interrupted"> {
  while (leftMs() > leadMs && !interruptions.isInterrupted)
    await awaitUntil(clock, clock.now() + leftMs() - leadMs, interruptions.first);
  return interruptions.isInterrupted ? "interrupted" : clock.now() + leftMs();
}

async function runLoad(
  run: PlannedLiveRun,
  load: LoadRun,
  monitors: MonitorsWatch,
  startAtMs: number | null,
): Promise<void> {
  const { planned, clock, collector, state } = run;
  const untilStartMs = startAtMs === null ? 0 : startAtMs - clock.now();
  const startedAtMs = run.options.sharding.startAtMs ?? clock.date().getTime() + untilStartMs;
  const measuredAfter = (warmupMs: number): string => new Date(startedAtMs + warmupMs).toISOString();
  state.set({ startedAt: measuredAfter(planned.plan.warmupMs) });
  const generator = watchGenerator(run, load);
  // Do not change the V8 flags of a program that embeds a run.
  const release = run.options.workers === 0 ? null : keepObjectsYoung();
  const running = load.run(startAtMs).finally(() => release?.());
  monitors.begin(load.measuredFromMs);
  if (load.lateMs > 0) {
    state.set({ lateMs: load.lateMs });
    run.onWarning(
      `started ${formatLateness(load.lateMs)} after the common start: arrivals due before are dropped`,
    );
  }
  const endLoadWatch = watchAll(run, load, generator);
  await running;
  const startsUntilMs = endLoadWatch();
  for (const warning of collector.warnings()) run.onWarning(warning);
  state.set({
    isLoadOver: true,
    process: generator.end(),
    startsUntilMs,
    // A run may end during its warm-up.
    startedAt: measuredAfter(Math.min(planned.plan.warmupMs, load.endedAtMs - load.startedAtMs)),
  });
  await load.leave();
}

/** The number of loads in progress in this process. */
let loads = 0;

/**
 * Keeps V8 from allocating new objects in the old generation, until the returned function is called. V8
 * decides at its first collection, once and for all, which allocation sites make long-lived objects. That
 * collection happens while many of the first few hundred requests are under way. If most of them survive it,
 * all later objects from these sites are allocated as old: they and what they refer to stay until a full
 * collection, at 1.4 kB for each request. The flag applies to the whole process, so it is set only during a
 * load: V8 rejects cached code that was compiled under other flags, so a thread that boots under it has to
 * compile all of Node's own modules.
 */
function keepObjectsYoung(): () => void {
  if (loads++ === 0) setFlagsFromString("--no-allocation-site-pretenuring");
  return () => {
    if (--loads === 0) setFlagsFromString("--allocation-site-pretenuring");
  };
}

/** Measures the resources that this process uses while it applies the load: so far, and in total. */
interface GeneratorWatch {
  readonly read: () => ProcessResult;
  readonly end: () => ProcessResult;
}

function watchGenerator(run: PlannedLiveRun, load: LoadRun): GeneratorWatch {
  const { linkBitsPerSecond } = run.options;
  const { read, end } = watchProcess({
    ...run,
    linkBitsPerSecond,
    countConnections: () => ({
      peakConnections: load.connections.peak,
      ...accountBytes([...load.accountings, ...load.warmupAccountings, ...load.vuStateAccountings]),
    }),
  });
  const span = (): WatchedSpan => ({
    measuredFromMs: load.measuredFromMs,
    waitedMs: sumBy(load.workers, ({ id }) => run.collector.health(id)?.waitedMs ?? 0),
  });
  return { read: () => read(span()), end: () => end(span()) };
}

/** Ends the load at the first limit that it reaches. Returns a function that ends this watch. */
function watchLimits(run: PlannedLiveRun, load: LoadRun): () => void {
  const { planned, clock, state, onWarning } = run;
  const { shard } = run.options.sharding;
  const watches = runLimitNames.map((name) => {
    const { flag, limitOf, count } = runLimits[name];
    const share = shareOfLimit(limitOf(planned.plan), shard);
    return watchLimit(
      clock,
      () => count(load),
      share,
      () => {
        endAll();
        state.set({ endedBy: name });
        const limit = shard === null ? `the ${flag} limit` : `this shard's part of ${flag}`;
        onWarning(`reached ${limit}: stopping gracefully`);
        load.stop("enough");
      },
    );
  });
  const endAll = (): void => {
    for (const end of watches) end();
  };
  return endAll;
}

/**
 * Watches the load and its limits. Returns a function that ends both watches and returns the time until which
 * iterations were started.
 */
function watchAll(run: PlannedLiveRun, load: LoadRun, generator: GeneratorWatch): () => number {
  const endLimitWatches = watchLimits(run, load);
  const endWatching = watchLoad(run, load, generator.read);
  return () => {
    endLimitWatches();
    return endWatching();
  };
}
