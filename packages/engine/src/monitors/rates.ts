import type { Reading, Readings } from "@bearhug/plan/monitors/monitor";
import type { CounterSample, Level, Quantity, ShareSample } from "@bearhug/plan/monitors/quantity";

interface Counted {
  readonly value: number;
  readonly atMs: number;
}

interface CountedShare {
  readonly sample: ShareSample;
  readonly atMs: number;
}

/**
 * Turns quantities into readings. A counter becomes the rate of its growth since the previous reading, so the
 * first has none.
 */
export class Rates {
  #counters = new Map<string, Counted>();
  #shares = new Map<string, CountedShare>();

  /** @param nowMs the time of reading, used where the source has no time stamps of its own */
  read(quantities: readonly Quantity[], nowMs: number): Readings {
    const levels = quantities.filter((one) => one.kind === "level");
    const counters = quantities.filter((one) => one.kind === "counter");
    const shares = quantities.filter((one) => one.kind === "share");
    return Object.fromEntries([
      ...sumLevels(levels),
      ...this.#readCounters(counters, nowMs),
      ...this.#readShares(shares, nowMs),
    ]);
  }

  #readCounters(samples: readonly CounterSample[], nowMs: number): Map<string, Reading> {
    const before = this.#counters;
    const rates = new Map<string, Reading>();
    const now = new Map<string, Counted>();
    for (const { gauge, unit, series, value, countedAtMs } of samples) {
      const key = `${gauge}\n${series}`;
      const counted = { value, atMs: countedAtMs ?? nowMs };
      const last = before.get(key);
      // A source that updates less often than it is read repeats its last count: the rate is known at the
      // next update.
      const isSame = last !== undefined && counted.atMs <= last.atMs;
      now.set(key, isSame ? last : counted);
      if (last === undefined || isSame) continue;
      const tookMs = counted.atMs - last.atMs;
      const perSecond = (grownBy(last.value, value) / tookMs) * 1000;
      // Counts before a restart are lost, so the rate then only stands for one second.
      const others = rates.get(gauge);
      const longest = Math.max(others?.seconds ?? 1, value < last.value ? 1 : wholeSeconds(tookMs));
      rates.set(gauge, { unit, value: (others?.value ?? 0) + perSecond, ...withSeconds(longest) });
    }
    this.#counters = now;
    return rates;
  }

  #readShares(samples: readonly ShareSample[], nowMs: number): Map<string, Reading> {
    const before = this.#shares;
    const grown = new Map<string, { part: number; whole: number; seconds: number }>();
    const now = new Map<string, CountedShare>();
    for (const sample of samples) {
      const key = `${sample.gauge}\n${sample.series}`;
      const { sample: last, atMs } = before.get(key) ?? {};
      now.set(key, { sample, atMs: nowMs });
      if (last === undefined || atMs === undefined) continue;
      const isReset = sample.whole < last.whole;
      const share = grown.get(sample.gauge) ?? { part: 0, whole: 0, seconds: 1 };
      share.part += isReset ? sample.part : sample.part - last.part;
      share.whole += isReset ? sample.whole : sample.whole - last.whole;
      if (!isReset) share.seconds = Math.max(share.seconds, wholeSeconds(nowMs - atMs));
      grown.set(sample.gauge, share);
    }
    this.#shares = now;
    return new Map(
      [...grown].flatMap(([gauge, share]) => (share.whole > 0 ? [[gauge, percentOf(share)]] : [])),
    );
  }
}

function sumLevels(levels: readonly Level[]): Map<string, Reading> {
  const sums = new Map<string, Reading>();
  for (const { gauge, unit, value } of levels)
    sums.set(gauge, { unit, value: (sums.get(gauge)?.value ?? 0) + value });
  return sums;
}

/** Returns the growth of a counter. Like Prometheus, takes a lower value for a restart from 0. */
function grownBy(before: number, now: number): number {
  return now >= before ? now - before : Math.max(0, now);
}

/**
 * Computes a percentage. Capped, because kernels round each counter separately and sometimes correct it
 * downwards.
 */
function percentOf({
  part,
  whole,
  seconds,
}: Readonly<Record<"part" | "whole" | "seconds", number>>): Reading {
  return { unit: "%", value: Math.min(100, Math.max(0, (part / whole) * 100)), ...withSeconds(seconds) };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.round(ms / 1000));
}

function withSeconds(seconds: number): Pick<Reading, "seconds"> {
  return seconds > 1 ? { seconds } : {};
}
