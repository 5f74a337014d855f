import type { TestResult } from "bearhug";

import type { AgentsPlan } from "./chaos-plan.ts";
import { orphanTimeoutMs, type ChaosOutcome } from "./chaos-run.ts";

/**
 * The time for which an orphan may send requests: until it checks the clock, and its graceful stop and
 * requests are over.
 */
const orphanGraceMs = orphanTimeoutMs + 2000 + 500 + 2000;

/** Returns a sentence for each thing about a run that is wrong. */
export function judgeChaos(plan: AgentsPlan, outcome: ChaosOutcome): string[] {
  const problems = outcome.hung.map((name) => `${name} hung`);
  const doubled = [...outcome.received].filter(([, count]) => count > 1).map(([line]) => line);
  if (doubled.length > 0) problems.push(`sent more than once: ${doubled.slice(0, 3).join(", ")}`);
  const { lastAfterCoordinatorMs: lastMs, result, exitCodes } = outcome;
  if (lastMs !== null && lastMs > orphanGraceMs)
    problems.push(`orphans sent requests ${lastMs} ms after the coordinator was gone`);
  if (result !== null) problems.push(...judgeBalance(result, outcome));
  if (exitCodes.coordinator === 0) problems.push(...judgeSuccess(plan, result, outcome));
  else if (exitCodes.coordinator !== null && result?.messages.length === 0)
    problems.push(`exit code ${exitCodes.coordinator} without a message`);
  return problems;
}

function judgeBalance(result: TestResult, { received }: ChaosOutcome): string[] {
  const problems: string[] = [];
  const { scheduled, started, completed, failed, interrupted, dropped, lost } = result.accounting.iterations;
  if (scheduled !== started + dropped)
    problems.push(`scheduled ${scheduled} iterations, but started ${started} and dropped ${dropped}`);
  if (started !== completed + failed + interrupted + lost)
    problems.push(`started ${started} iterations, but ended ${completed + failed + interrupted + lost}`);
  for (const one of result.accounting.requests) {
    const ended = one.succeeded + one.failed + one.interrupted + one.lost;
    if (one.started !== ended)
      problems.push(`${one.name}: started ${one.started} requests, but ended ${ended}`);
    const receivedCount = countReceived(received, one.name);
    if (receivedCount < one.succeeded)
      problems.push(`${one.name}: ${one.succeeded} succeeded, but the server received ${receivedCount}`);
  }
  return problems;
}

/**
 * Judges a run that passed. It must be complete: all arrivals took place or are reported as dropped, and the
 * server's count agrees.
 */
function judgeSuccess(plan: AgentsPlan, result: TestResult | null, { received }: ChaosOutcome): string[] {
  if (result === null) return ["exit code 0 without a result"];
  const problems: string[] = [];
  const { iterations, requests } = result.accounting;
  const due = Math.ceil((plan.ratePerSecond * plan.durationMs) / 1000);
  const arrived = (requests.find(({ name }) => name === "arriving")?.started ?? 0) + iterations.dropped;
  if (arrived !== due) problems.push(`passed with ${arrived} of ${due} arrivals`);
  if (iterations.lost > 0) problems.push(`passed, but lost ${iterations.lost} iterations`);
  for (const { name, sent } of requests)
    if (countReceived(received, name) > sent)
      problems.push(`${name}: sent ${sent}, but the server received ${countReceived(received, name)}`);
  const stages = [received.get("POST /setup"), received.get("DELETE /teardown/t1")].map(
    (count) => count ?? 0,
  );
  if (plan.hasStages && stages.join() !== "1,1")
    problems.push(`passed with ${stages[0]} setups and ${stages[1]} teardowns`);
  return problems;
}

function countReceived(received: ReadonlyMap<string, number>, name: string): number {
  return [...received].reduce(
    (sum, [line, count]) => sum + (line.startsWith(`GET /${name}/`) ? count : 0),
    0,
  );
}
