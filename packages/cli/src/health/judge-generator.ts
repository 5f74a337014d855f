import type { GeneratorResult, WorkerResult } from "@bearhug/sdk";

const strainedUtilization = 0.85;
const saturatedUtilization = 0.97;
const strainedDelayMs = 20;
const saturatedDelayMs = 100;

/** A run shorter than this is mostly start-up: being busy then says nothing. */
const leastDurationMs = 2000;

/** Whether the load generator kept up, with reasons that say what to do about it. */
export function judgeGenerator(workers: readonly WorkerResult[], durationMs: number): GeneratorResult {
  const findings = durationMs < leastDurationMs ? [] : workers.flatMap(judgeWorker);
  const isSaturated = findings.some(({ severity }) => severity === "saturated");
  const verdict = isSaturated ? "saturated" : findings.length > 0 ? "strained" : "healthy";
  return { verdict, reasons: findings.map(({ reason }) => reason), workers };
}

interface Finding {
  readonly severity: "strained" | "saturated";
  readonly reason: string;
}

function judgeWorker({ id, utilization, loopDelayP99Ms, scheduleLagP99Ms }: WorkerResult): Finding[] {
  const findings: Finding[] = [];
  const judge = (
    value: number | null,
    strained: number,
    saturated: number,
    reason: (value: number) => string,
  ): void => {
    if (value === null || value < strained) return;
    findings.push({ severity: value >= saturated ? "saturated" : "strained", reason: reason(value) });
  };
  judge(
    utilization,
    strainedUtilization,
    saturatedUtilization,
    (value) =>
      `worker ${id} was busy ${Math.floor(value * 100)} % of the time: add workers or lower the load; latencies are upper bounds`,
  );
  judge(
    loopDelayP99Ms,
    strainedDelayMs,
    saturatedDelayMs,
    (value) =>
      `worker ${id} was up to ${Math.round(value)} ms late in noticing what happened (p99): latencies are upper bounds`,
  );
  judge(
    scheduleLagP99Ms,
    strainedDelayMs,
    saturatedDelayMs,
    (value) =>
      `worker ${id} started iterations up to ${Math.round(value)} ms late (p99): add workers or lower the rate`,
  );
  return findings;
}
