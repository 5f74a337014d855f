import type { GeneratorResult } from "@bearhug/sdk";
import { leastJudgedMs, type ProcessResult, type WorkerResult } from "@bearhug/sdk/internal";

import type { ErrorRecord } from "../metrics/error-log.ts";
import { judgeFaults } from "./judge-faults.ts";
import { judgeLateDrops, type LateDrops } from "./judge-late-drops.ts";
import { judgeProcess } from "./judge-process.ts";
import { judgeStalls } from "./judge-stalls.ts";
import { judgeWorkers } from "./judge-workers.ts";

/** What is known of the generator when the load has ended. How the target fared is not asked: it must not matter. */
export interface GeneratorFacts {
  readonly workers: readonly WorkerResult[];
  /** Null where no load was applied. */
  readonly process: ProcessResult | null;
  readonly errors: readonly Pick<ErrorRecord, "code" | "count">[];
  readonly drops: LateDrops;
  /** All connections went to one address, as far as is known. */
  readonly hasOneTarget: boolean;
  readonly durationMs: number;
}

/** Whether the load generator kept up, with reasons that say what to do about it. */
export function judgeGenerator(facts: GeneratorFacts): GeneratorResult {
  const { workers, process, errors, drops, hasOneTarget, durationMs } = facts;
  const measured = [
    ...judgeWorkers(workers),
    ...(process === null ? [] : judgeProcess(process, hasOneTarget)),
  ];
  const findings = [
    ...judgeFaults(errors),
    ...judgeLateDrops(drops, workers),
    ...judgeStalls(process?.stalls ?? [], durationMs),
    ...(durationMs < leastJudgedMs ? [] : measured),
  ];
  const isSaturated = findings.some(({ severity }) => severity === "saturated");
  const verdict = isSaturated ? "saturated" : findings.length > 0 ? "strained" : "healthy";
  return { verdict, reasons: findings.map(({ reason }) => reason), workers, process };
}
