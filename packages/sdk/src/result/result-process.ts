import * as z from "zod";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The resources that the generator's process used during the load, and its limits. Null means unknown. */
export interface ProcessResult {
  /** Average CPU usage in cores, as the operating system reports it. */
  readonly cpuCores: number;
  /** CPU usage in cores, in the busiest second. */
  readonly peakCpuCores: number;
  /** The part of `cpuCores` that was spent waiting for the next arrival, which is no work. */
  readonly waitingCores: number;
  /** The average number of threads that were ready to run and waited for a core. Linux only. */
  readonly queuedThreads?: number;
  /** Resident memory at the end, in MiB. */
  readonly memoryMb: number;
  /** The greatest resident memory, in MiB. */
  readonly peakMemoryMb: number;
  /** The greatest number of open connections. */
  readonly peakConnections: number;
  /** The greatest number of open files and connections. */
  readonly peakOpenFiles: number | null;
  /** Bytes received on connections, in the second with the most. */
  readonly peakReceivedBytesPerSecond: number;
  /** Bytes sent on connections, in the second with the most. */
  readonly peakSentBytesPerSecond: number;
  /** How often the container's CPU quota stopped the process; null if there is no quota. */
  readonly throttling: ThrottlingResult | null;
  /** The network link that came closest to its speed; null if no link's speed is known. */
  readonly link: LinkResult | null;
  /** Times in which the whole process stood still. */
  readonly stalls: readonly StallResult[];
  readonly limits: ProcessLimits;
}

/**
 * CPU throttling. A container has a CPU quota for each period; a process that has used it up stops until the
 * period ends.
 */
export interface ThrottlingResult {
  /** The number of periods. */
  readonly periods: number;
  /** The number of periods in which the process was stopped. */
  readonly throttledPeriods: number;
  /** The time for which threads were stopped, summed over all threads. */
  readonly throttledMs: number;
}

/** The usage of a network link, in its busier direction. */
export interface LinkResult {
  /** The network interface; null for a speed that the user gave with `--link`. */
  readonly name: string | null;
  /** The speed of the link. */
  readonly bitsPerSecond: number;
  /** The traffic in the busiest second, headers of all layers included. */
  readonly peakBitsPerSecond: number;
}

/** A time in which no thread of the process ran: it was suspended, or got no CPU. */
export interface StallResult {
  /** Its time, from the start of the load. */
  readonly atMs: number;
  /** The minimum length of the stall. */
  readonly durationMs: number;
}

/** The limits that the machine or the container sets for the process. */
export interface ProcessLimits {
  /** The available cores. May be a fraction because of a container's quota. */
  readonly cores: number;
  /** The available memory, in MiB. */
  readonly memoryMb: number;
  /** The maximum number of open files and connections; null if unknown or unlimited. */
  readonly openFiles: number | null;
  /** The maximum number of connections to one address of the target. */
  readonly localPorts: number | null;
}

export const processSchema: () => z.ZodType<ProcessResult> = once(() =>
  z.object({
    cpuCores: amount(),
    peakCpuCores: amount(),
    waitingCores: amount(),
    queuedThreads: amount().exactOptional(),
    memoryMb: amount(),
    peakMemoryMb: amount(),
    peakConnections: count(),
    peakOpenFiles: count().nullable(),
    peakReceivedBytesPerSecond: amount(),
    peakSentBytesPerSecond: amount(),
    throttling: z.object({ periods: count(), throttledPeriods: count(), throttledMs: amount() }).nullable(),
    link: z
      .object({
        name: z.string().nullable(),
        bitsPerSecond: z.number().positive(),
        peakBitsPerSecond: amount(),
      })
      .nullable(),
    stalls: z.array(z.object({ atMs: amount(), durationMs: amount() })),
    limits: z.object({
      cores: z.number().positive(),
      memoryMb: z.number().positive(),
      openFiles: count().nullable(),
      localPorts: count().nullable(),
    }),
  }),
);
