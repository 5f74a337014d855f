import { type Clock, every } from "@bearhug/plan/pacing/clock";
import type { ProcessResult, StallResult } from "@bearhug/sdk/result";
import { attempt } from "@bearhug/text/caught-error";

import { findCpuFolders, readThrottling } from "./control-group.ts";
import { describeStall, type Stall, StallWatch } from "./stalls.ts";
import { portCount } from "./local-ports.ts";
import type { MachineLimits } from "./machine-limits.ts";
import { readLinkCounts } from "./network-links.ts";
import { countOpenFiles } from "./open-files.ts";
import { ProcessUsage, type ProcessSample } from "./process-usage.ts";
import { readThreadQueues } from "./thread-queues.ts";

/** The connections and bytes of all workers so far. */
export interface ConnectionCounts {
  /** The most connections that were open at once. */
  readonly peakConnections: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

export interface ProcessWatchOptions {
  readonly clock: Clock;
  readonly limits: MachineLimits;
  /** The speed of the path to the target, if the user gave it. */
  readonly linkBitsPerSecond: number | null;
  readonly countConnections: () => ConnectionCounts;
  /** Receives a sentence as soon as a stall is found. */
  readonly onWarning: (text: string) => void;
}

/** A watch over this process. */
export interface ProcessWatch {
  /** The measurements so far. */
  readonly read: (span: WatchedSpan) => ProcessResult;
  /** Ends the watch and returns the measurements. */
  readonly end: (span: WatchedSpan) => ProcessResult;
}

/** The span of the measured load. */
export interface WatchedSpan {
  /** The clock's time at the start of the measured load. */
  readonly measuredFromMs: number;
  /** The total time in which workers only waited for their next arrival. */
  readonly waitedMs: number;
}

const beatEveryMs = 50;
const sampleEveryMs = 1000;

/** Starts a watch over this process. */
export function watchProcess(watched: ProcessWatchOptions): ProcessWatch {
  const { clock, limits, linkBitsPerSecond, countConnections, onWarning } = watched;
  const beganMs = clock.now();
  const filesAtStart = countOpenFiles();
  const maxFiles = limits.openFiles ?? Infinity;
  const cpuFolders = findCpuFolders();
  const sample = (): ProcessSample => takeSample(watched, cpuFolders);
  const usage = new ProcessUsage(sample(), linkBitsPerSecond);
  const stallWatch = new StallWatch(beatEveryMs, beganMs, usedCpuMs());
  const endBeats = every(clock, beatEveryMs, () => {
    const stall = stallWatch.beat(clock.now(), usedCpuMs());
    if (stall !== null) onWarning(describeStall(since(stall, beganMs)));
  });
  const endSamples = every(clock, sampleEveryMs, () => usage.add(sample()));
  const read = ({ measuredFromMs, waitedMs }: WatchedSpan): ProcessResult => {
    const totals = usage.totals();
    const { peakConnections } = countConnections();
    return {
      ...totals,
      peakConnections,
      waitingCores: Math.min(totals.cpuCores, waitedMs / Math.max(1, clock.now() - beganMs)),
      // Connections that failed for lack of a descriptor are included in the count.
      peakOpenFiles: filesAtStart === null ? null : Math.min(filesAtStart + peakConnections, maxFiles),
      stalls: stallWatch.stalls
        .filter(({ fromMs, durationMs }) => fromMs + durationMs > measuredFromMs)
        .map((stall) => since(stall, measuredFromMs)),
      limits: describeLimits(limits),
    };
  };
  return {
    read,
    end: (span) => {
      endBeats();
      endSamples();
      usage.add(sample());
      return read(span);
    },
  };
}

function takeSample(
  { clock, limits, countConnections }: ProcessWatchOptions,
  cpuFolders: readonly string[],
): ProcessSample {
  return {
    atMs: clock.now(),
    cpuMs: usedCpuMs(),
    residentBytes: attempt(() => process.memoryUsage.rss()),
    throttling: readThrottling(cpuFolders),
    queues: readThreadQueues(),
    links: readLinkCounts(limits.links),
    ...countConnections(),
  };
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function since({ fromMs, durationMs }: Stall, startMs: number): StallResult {
  return { atMs: Math.max(0, fromMs - startMs), durationMs };
}

function describeLimits({
  cores,
  memoryBytes,
  openFiles,
  localPorts,
}: MachineLimits): ProcessResult["limits"] {
  return {
    cores,
    memoryMb: Math.round(memoryBytes / 2 ** 20),
    openFiles: openFiles === Infinity ? null : openFiles,
    localPorts: localPorts === null ? null : portCount(localPorts),
  };
}
