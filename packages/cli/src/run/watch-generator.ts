import type { ProcessResult } from "@bearhug/sdk/internal";

import type { MachineLimits } from "../health/machine-limits.ts";
import { watchProcess, type WatchedSpan } from "../health/watch-process.ts";
import type { Clock } from "../pacing/clock.ts";
import { accountConnections } from "../outcome/account.ts";
import type { Collector } from "../outcome/collect.ts";
import type { LoadRun } from "./load-run.ts";

/** A generator at work, and who wants to know how it fares. */
export interface WatchedGenerator {
  readonly clock: Clock;
  readonly limits: MachineLimits;
  /** The capacity of the link to the target, if the user gave it. */
  readonly linkBitsPerSecond: number | null;
  readonly load: LoadRun;
  readonly collector: Collector;
  /** One sentence. */
  readonly onWarning: (text: string) => void;
}

/** A watch over this process while it applies the load: what it used so far, and in the end. */
export interface GeneratorWatch {
  readonly read: () => ProcessResult;
  readonly end: () => ProcessResult;
}

export function watchGenerator(generator: WatchedGenerator): GeneratorWatch {
  const { load, collector } = generator;
  const { read, end } = watchProcess({
    ...generator,
    countConnections: () =>
      accountConnections([...load.accountings, ...load.warmupAccountings, ...load.vuStateAccountings]),
  });
  const span = (): WatchedSpan => ({
    measuredFromMs: load.measuredFromMs,
    waitedMs: load.workers.reduce((total, { id }) => total + (collector.health(id)?.waitedMs ?? 0), 0),
  });
  return { read: () => read(span()), end: () => end(span()) };
}
