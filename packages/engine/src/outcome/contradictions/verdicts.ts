import { exitCodes, verdictOf } from "@bearhug/metrics/results/exit-codes";
import { isThresholdFailure } from "@bearhug/metrics/results/reason-words";
import { sumFigures } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";

import { isLostWithShard } from "../verdict/cut-short.ts";
import { hasFailed } from "../judge-thresholds.ts";
import { claim, type Contradiction } from "./contradiction.ts";

const written = Object.values(exitCodes).filter((code) => code !== exitCodes.reportNotWritten);

/** Finds an exit code, a verdict or messages that do not follow from the rest of the document. */
export function wrongVerdicts(result: TestResult): Contradiction[] {
  const { verdict, exitCode, messages } = result;
  const known = written.find((code) => code === exitCode);
  if (known === undefined) {
    return [{ path: "exitCode", message: `is ${exitCode}, which is none of ${written.join(", ")}` }];
  }
  const expected = verdictOf(known);
  return [
    ...claim(verdict === expected, "verdict", `is "${verdict}", but exit code ${exitCode} is "${expected}"`),
    ...claim(
      exitCode === exitCodes.passed || messages.length > 0,
      "messages",
      `is empty, but exit code ${exitCode} has a reason`,
    ),
    ...(exitCode === exitCodes.passed ? reasonsAgainst(result) : []),
    ...unreportedFailures(result),
    ...lostWorkers(result),
  ];
}

/** Finds facts that contradict exit code 0. A shard is not judged by them. */
function reasonsAgainst({ shard, thresholds, checks, accounting }: TestResult): Contradiction[] {
  if (shard !== null) return [];
  const { iterations, requests } = accounting;
  const { succeeded, failed } = sumFigures(requests, "succeeded", "failed");
  const reasons = [
    ...thresholds.flatMap(({ passed }, index) =>
      passed === true ? [] : [`thresholds[${index}].passed is ${passed}`],
    ),
    ...checks.flatMap(({ passes, fails, exception }, index) =>
      passes === 0 && exception?.count === fails ? [`checks[${index}] threw every time`] : [],
    ),
    ...(failed > 0 && succeeded === 0 ? ["no request of accounting.requests succeeded"] : []),
    ...(iterations.failed > 0 && iterations.completed === 0
      ? ["no iteration of accounting.iterations completed"]
      : []),
  ];
  return reasons.map((reason) => ({ path: "exitCode", message: `is 0, but ${reason}` }));
}

/**
 * Finds failed thresholds without a message. Masked messages are not checked, because their metric may be
 * hidden.
 */
function unreportedFailures({ thresholds, messages }: TestResult): Contradiction[] {
  if (messages.some((message) => message.includes("***"))) return [];
  const failed = thresholds.filter(hasFailed).length;
  const reported = messages.filter(isThresholdFailure).length;
  return claim(failed === reported, "messages", `report ${reported} failed thresholds, but ${failed} failed`);
}

function lostWorkers({ exitCode, truncated, generator, partial }: TestResult): Contradiction[] {
  const severeCodes: readonly number[] = [exitCodes.bug, exitCodes.testThrew, exitCodes.workerLost];
  const isAccepted = (reason: string): boolean => partial !== undefined && isLostWithShard(reason);
  const lost = generator.workers.find((worker) => worker.lost !== null && !isAccepted(worker.lost));
  if (severeCodes.includes(exitCode)) return [];
  const what = truncated ? "the run was killed (truncated)" : `worker ${lost?.id} was lost`;
  return claim(!truncated && lost === undefined, "exitCode", `is ${exitCode}, but ${what}`);
}
