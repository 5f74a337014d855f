import * as z from "zod";
import { once } from "../validation/once.ts";

/** The resources that the generator's process used during the load, and its limits. Null: unknown. */
export interface ProcessResult {
  /** CPU that it used on average, in cores, as the system counts it. */
  readonly cpuCores: number;
  /** The same in its busiest second. */
  readonly peakCpuCores: number;
  /** How much of `cpuCores` was waiting for the next arrival, which is no work. */
  readonly waitingCores: number;
  /** Threads that were ready to run and waited for a core, on average. Linux only. */
  readonly queuedThreads?: number;
  /** Resident memory at the end, in MiB. */
  readonly memoryMb: number;
  readonly peakMemoryMb: number;
  /** The most connections that were open at once. */
  readonly peakConnections: number;
  /** The most files and connections that were open at once. */
  readonly peakOpenFiles: number | null;
  /** Bytes of the connections, in the second with the most. */
  readonly peakReceivedBytesPerSecond: number;
  readonly peakSentBytesPerSecond: number;
  /** How often a container's quota stopped the process; null where there is no quota. */
  readonly throttling: ThrottlingResult | null;
  /** The link that came nearest to its speed; null where no link's speed is known. */
  readonly link: LinkResult | null;
  /** When the whole process stood still. */
  readonly stalls: readonly StallResult[];
  readonly limits: ProcessLimits;
}

/** A container's CPU quota is given out by periods; who has used it up stands still for the rest of the period. */
export interface ThrottlingResult {
  readonly periods: number;
  readonly throttledPeriods: number;
  /** For how long, threads added up. */
  readonly throttledMs: number;
}

/** How full a link was, the fuller of its two ways. */
export interface LinkResult {
  /** The network interface; null for the path whose speed the user gave. */
  readonly name: string | null;
  readonly bitsPerSecond: number;
  /** In the second with the most, headers of all layers included. */
  readonly peakBitsPerSecond: number;
}

/** A time in which nothing of the process ran: it was suspended, or starved of CPU. */
export interface StallResult {
  /** From the start of the load. */
  readonly atMs: number;
  /** At least so long. */
  readonly durationMs: number;
}

/** The limits that the machine or the container set for the process. */
export interface ProcessLimits {
  /** A container's quota may make it a fraction. */
  readonly cores: number;
  readonly memoryMb: number;
  /** Files and connections at once; null also where there is no limit. */
  readonly openFiles: number | null;
  /** Connections at once to one address of the target. */
  readonly localPorts: number | null;
}

const amount = once(() => z.number().nonnegative());
const count = once(() => z.int().nonnegative());

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
