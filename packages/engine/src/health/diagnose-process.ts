import type { LinkResult, ProcessResult } from "@bearhug/sdk/result";

import { checkBounds, type FindingBounds, type GeneratorFinding } from "./finding.ts";

const cpuBounds: FindingBounds = { strained: 0.9, saturated: 0.97 };
const memoryBounds: FindingBounds = { strained: 0.85, saturated: 0.95 };
/**
 * The share of time that ready threads waited for a core. Measured: up to 0.20 if only bearhug and the target
 * use the cores, even at high load; from 0.86 if three busy loops share its core.
 */
const queuedBounds: FindingBounds = { strained: 0.4, saturated: 0.7 };
/**
 * Below this number of waiting threads, on average, too few events are delayed to matter, whatever the share.
 */
const minQueued = 0.1;
const throttledBounds: FindingBounds = { strained: 0.01, saturated: 0.1 };
const linkBounds: FindingBounds = { strained: 0.8, saturated: 0.95 };
/** Coming close to these limits has no effect. Reaching one does, and causes errors that are counted. */
const countBounds: FindingBounds = { strained: 0.9, saturated: Infinity };

/** Compares the usage of the process with its limits. */
export function diagnoseProcess(used: ProcessResult, hasOneTarget: boolean): GeneratorFinding[] {
  return [
    ...diagnoseCpu(used),
    ...diagnoseCounts(used, hasOneTarget),
    ...(used.link === null ? [] : diagnoseLink(used.link)),
  ];
}

function diagnoseCpu({
  cpuCores,
  waitingCores,
  throttling,
  limits: { cores },
}: ProcessResult): GeneratorFinding[] {
  const workCores = cpuCores - waitingCores;
  const throttledShare =
    throttling === null || throttling.periods === 0 ? null : throttling.throttledPeriods / throttling.periods;
  return [
    ...checkBounds(
      workCores / cores,
      cpuBounds,
      () =>
        `the process used ${workCores.toFixed(2)} of ${figure(cores)} cores: lower the load, or use a machine with more cores; latencies are upper bounds`,
    ),
    ...checkBounds(
      throttledShare,
      throttledBounds,
      (share) =>
        `the container's CPU quota of ${figure(cores)} cores throttled the process in ${Math.ceil(share * 100)} % of its periods: raise the quota or lower the load; latencies are upper bounds`,
    ),
  ];
}

/**
 * Diagnoses that other processes had the cores when this one was ready to run. Its own threads can cause less
 * than half of such waiting. `isLate` is true if workers also noticed events late. Otherwise the process
 * waited often, but too briefly to distort its measurements: 10 users on two cores with eight busy loops had
 * 81 % and a loop delay of 8 ms (p99).
 */
export function diagnoseQueue(
  { cpuCores, queuedThreads = 0 }: ProcessResult,
  isLate: boolean,
): GeneratorFinding[] {
  if (queuedThreads < minQueued) return [];
  return checkBounds(
    queuedThreads / (cpuCores + queuedThreads),
    isLate ? queuedBounds : { ...queuedBounds, saturated: Infinity },
    (share) =>
      `other processes had the CPU for ${Math.floor(share * 100)} % of the time in which the load generator was ready to run: stop them, or give the generator cores of its own; latencies are upper bounds`,
  );
}

function diagnoseCounts(used: ProcessResult, hasOneTarget: boolean): GeneratorFinding[] {
  const { limits } = used;
  const shareOf = (value: number | null, limit: number | null): number | null =>
    value === null || limit === null ? null : value / limit;
  return [
    ...checkBounds(
      shareOf(used.peakMemoryMb, limits.memoryMb),
      memoryBounds,
      () =>
        `the process used ${Math.round(used.peakMemoryMb)} of ${limits.memoryMb} MiB of memory: give it more, or use fewer virtual users`,
    ),
    ...checkBounds(
      shareOf(used.peakOpenFiles, limits.openFiles),
      countBounds,
      () =>
        `${used.peakOpenFiles ?? 0} of ${limits.openFiles ?? 0} file descriptors were open: raise the limit (ulimit -n) before you raise the load`,
    ),
    ...checkBounds(
      hasOneTarget ? shareOf(used.peakConnections, limits.localPorts) : null,
      countBounds,
      () =>
        `${used.peakConnections} connections were open, and this machine can open ${limits.localPorts ?? 0} to one address: widen the range of local ports before you raise the load`,
    ),
  ];
}

function diagnoseLink({ name, bitsPerSecond, peakBitsPerSecond }: LinkResult): GeneratorFinding[] {
  const what = name === null ? "the link to the target" : `the network interface ${name}`;
  const given = name === null ? " given with --link" : "";
  return checkBounds(
    peakBitsPerSecond / bitsPerSecond,
    linkBounds,
    () =>
      `${what} carried up to ${speed(peakBitsPerSecond)} of the ${speed(bitsPerSecond)}${given}: responses wait for the network, not for the target`,
  );
}

/** Formats a number of cores, such as 1.5 or 2: quotas may be fractions. */
function figure(cores: number): string {
  return String(Number(cores.toFixed(2)));
}

function speed(bitsPerSecond: number): string {
  return `${Math.round(bitsPerSecond / 1e6)} Mbit/s`;
}
