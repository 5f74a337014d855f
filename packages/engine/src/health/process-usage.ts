import type { LinkResult, ProcessResult, ThrottlingResult } from "@bearhug/sdk/result";

import type { Throttling } from "./control-group.ts";
import type { LinkCount } from "./network-links.ts";
import { queuedBetween, type ThreadQueues } from "./thread-queues.ts";

/**
 * A sample of the process's usage. All values except memory are running totals. Null means that reading
 * failed: it takes a file descriptor, and these may be used up.
 */
export interface ProcessSample {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly residentBytes: number | null;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly throttling: Throttling | null;
  readonly queues: ThreadQueues | null;
  readonly links: readonly LinkCount[];
}

export type ProcessTotals = Omit<
  ProcessResult,
  "stalls" | "limits" | "waitingCores" | "peakConnections" | "peakOpenFiles"
>;

/** The shortest time that gives a reliable rate per second. */
const minMs = 500;

/**
 * The bytes on the wire per byte of a connection: a full Ethernet frame takes 1,538 bytes, of which 1,448 are
 * payload (with IP and TCP time stamps).
 */
const wireShare = 1538 / 1448;

/** Sums up the process's usage between the first and the last sample, and in its busiest second. */
export class ProcessUsage {
  readonly #first: ProcessSample;
  readonly #linkBitsPerSecond: number | null;
  #last: ProcessSample;
  #peakCpuCores = 0;
  #residentBytes: number;
  #peakResidentBytes: number;
  #throttling: Throttling | null;
  #queues: ThreadQueues | null;
  #queuedMs = 0;
  #peakReceived = 0;
  #peakSent = 0;
  readonly #links = new Map<string | null, LinkResult>();

  /** `linkBitsPerSecond` is the speed of the path to the target, if the user gave it. */
  constructor(first: ProcessSample, linkBitsPerSecond: number | null) {
    this.#first = first;
    this.#last = first;
    this.#linkBitsPerSecond = linkBitsPerSecond;
    this.#residentBytes = first.residentBytes ?? 0;
    this.#peakResidentBytes = this.#residentBytes;
    this.#throttling = first.throttling;
    this.#queues = first.queues;
  }

  add(sample: ProcessSample): void {
    const before = this.#last;
    this.#residentBytes = sample.residentBytes ?? this.#residentBytes;
    this.#peakResidentBytes = Math.max(this.#peakResidentBytes, this.#residentBytes);
    this.#throttling = sample.throttling ?? this.#throttling;
    if (this.#queues !== null && sample.queues !== null)
      this.#queuedMs += queuedBetween(this.#queues, sample.queues);
    this.#queues = sample.queues ?? this.#queues;
    const widthMs = sample.atMs - before.atMs;
    if (widthMs < minMs) return;
    this.#last = sample;
    this.#peakCpuCores = Math.max(this.#peakCpuCores, (sample.cpuMs - before.cpuMs) / widthMs);
    const perSecond = (bytes: number): number => bytes / (widthMs / 1000);
    const received = perSecond(sample.receivedBytes - before.receivedBytes);
    const sent = perSecond(sample.sentBytes - before.sentBytes);
    this.#peakReceived = Math.max(this.#peakReceived, received);
    this.#peakSent = Math.max(this.#peakSent, sent);
    if (this.#linkBitsPerSecond !== null) {
      this.#addLink(null, this.#linkBitsPerSecond, Math.max(received, sent) * 8 * wireShare);
    }
    for (const { link, receivedBytes, sentBytes } of sample.links) {
      const known = before.links.find((one) => one.link.name === link.name);
      if (known === undefined) continue;
      const most = Math.max(receivedBytes - known.receivedBytes, sentBytes - known.sentBytes);
      this.#addLink(link.name, link.bitsPerSecond, perSecond(most) * 8);
    }
  }

  totals(): ProcessTotals {
    const [first, last] = [this.#first, this.#last];
    const durationMs = last.atMs - first.atMs;
    return {
      cpuCores: durationMs === 0 ? 0 : (last.cpuMs - first.cpuMs) / durationMs,
      peakCpuCores: this.#peakCpuCores,
      ...(this.#queues && { queuedThreads: durationMs === 0 ? 0 : this.#queuedMs / durationMs }),
      memoryMb: megabytes(this.#residentBytes),
      peakMemoryMb: megabytes(this.#peakResidentBytes),
      peakReceivedBytesPerSecond: Math.round(this.#peakReceived),
      peakSentBytesPerSecond: Math.round(this.#peakSent),
      throttling: difference(first.throttling, this.#throttling),
      link: this.#fullestLink(),
    };
  }

  #addLink(name: string | null, bitsPerSecond: number, usedBitsPerSecond: number): void {
    const before = this.#links.get(name)?.peakBitsPerSecond ?? 0;
    const peakBitsPerSecond = Math.max(before, Math.round(usedBitsPerSecond));
    this.#links.set(name, { name, bitsPerSecond, peakBitsPerSecond });
  }

  #fullestLink(): LinkResult | null {
    const share = (link: LinkResult): number => link.peakBitsPerSecond / link.bitsPerSecond;
    return [...this.#links.values()].sort((left, right) => share(right) - share(left))[0] ?? null;
  }
}

function megabytes(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 10) / 10;
}

function difference(first: Throttling | null, last: Throttling | null): ThrottlingResult | null {
  // A group without a quota has no periods.
  if (first === null || last === null || last.periods === 0) return null;
  return {
    periods: last.periods - first.periods,
    throttledPeriods: last.throttledPeriods - first.throttledPeriods,
    throttledMs: last.throttledMs - first.throttledMs,
  };
}
