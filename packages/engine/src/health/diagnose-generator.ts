import type { ErrorRecord } from "@bearhug/metrics/error-log";
import { sumBy } from "@bearhug/metrics/sum";
import type { GeneratorResult } from "@bearhug/sdk";
import { httpErrorCatalog, minJudgedMs } from "@bearhug/sdk/internal";
import type { ProcessResult, WorkerResult } from "@bearhug/sdk/result";

import type { GeneratorFinding } from "./finding.ts";
import { diagnoseProcess, diagnoseQueue } from "./diagnose-process.ts";
import { diagnoseStalls } from "./stalls.ts";
import { diagnoseLateDrops, diagnoseWorkers, isAnyLate, type LateDrops } from "./diagnose-workers.ts";

/** Facts about the generator at the end of the load. They must not depend on how the target performed. */
export interface GeneratorState {
  readonly workers: readonly WorkerResult[];
  /** Null if no load was applied. */
  readonly process: ProcessResult | null;
  readonly errors: readonly Pick<ErrorRecord, "code" | "count">[];
  readonly drops: LateDrops;
  /** True if, as far as is known, all connections went to one address. */
  readonly hasOneTarget: boolean;
  readonly durationMs: number;
}

/** Decides if the load generator kept up, with reasons that include a remedy. */
export function diagnoseGenerator(facts: GeneratorState): GeneratorResult {
  const { workers, process, errors, drops, hasOneTarget, durationMs } = facts;
  const measured = [
    // First, because a lack of CPU makes workers look busy and late.
    ...(process === null ? [] : diagnoseQueue(process, isAnyLate(workers))),
    ...diagnoseWorkers(workers),
    ...(process === null ? [] : diagnoseProcess(process, hasOneTarget)),
  ];
  const findings = [
    ...diagnoseFaults(errors),
    ...diagnoseLateDrops(drops, workers),
    ...diagnoseStalls(process?.stalls ?? [], durationMs),
    ...(durationMs < minJudgedMs ? [] : measured),
  ];
  const isSaturated = findings.some(({ severity }) => severity === "saturated");
  const verdict = isSaturated ? "saturated" : findings.length > 0 ? "strained" : "healthy";
  return { verdict, reasons: findings.map(({ reason }) => reason), workers, process };
}

/** Reports requests that the generator itself could not send. */
function diagnoseFaults(errors: readonly Pick<ErrorRecord, "code" | "count">[]): GeneratorFinding[] {
  return Object.entries(httpErrorCatalog).flatMap(([code, { saturates }]): GeneratorFinding[] => {
    if (saturates === undefined) return [];
    const count = sumBy(errors, (error) => (error.code === code ? error.count : 0));
    if (count === 0) return [];
    return [
      {
        severity: "saturated",
        reason: `${count} ${count === 1 ? "request" : "requests"} ${saturates} (${code})`,
      },
    ];
  });
}
