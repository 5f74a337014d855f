import type { ProcessResult } from "@bearhug/sdk/internal";

import type { MachineLimits } from "../health/machine-limits.ts";
import { watchProcess } from "../health/watch-process.ts";
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

/** Watches this process while it applies the load. Returns how to end it, which tells what the process used. */
export function watchGenerator(generator: WatchedGenerator): () => ProcessResult {
  const { load, collector } = generator;
  const end = watchProcess({
    ...generator,
    countConnections: () => accountConnections([...load.accountings, ...load.warmupAccountings]),
  });
  return () =>
    end({
      measuredFromMs: load.measuredFromMs,
      waitedMs: load.workers.reduce((total, { id }) => total + (collector.health(id)?.waitedMs ?? 0), 0),
    });
}
