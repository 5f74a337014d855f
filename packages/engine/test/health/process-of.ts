import type { ProcessResult } from "@bearhug/sdk/result";

/** Returns a process that had plenty of everything, except for `changes`. */
export function processOf(changes: Partial<ProcessResult>): ProcessResult {
  return {
    cpuCores: 0.4,
    peakCpuCores: 0.6,
    waitingCores: 0,
    memoryMb: 120,
    peakMemoryMb: 130,
    peakConnections: 50,
    peakOpenFiles: 80,
    peakReceivedBytesPerSecond: 1e6,
    peakSentBytesPerSecond: 1e5,
    throttling: null,
    link: null,
    stalls: [],
    limits: { cores: 2, memoryMb: 1000, openFiles: 1000, localPorts: 28_000 },
    ...changes,
  };
}
