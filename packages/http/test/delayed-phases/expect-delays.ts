import type { Timings } from "@bearhug/sdk";
import { expect } from "vitest";

/** Least and most, in ms. */
export type Span = readonly [leastMs: number, mostMs: number];

/** What somebody told of a delay that he made himself. */
export const exactly = (delayMs: number | undefined): Span => [delayMs ?? Number.NaN, delayMs ?? Number.NaN];

const opening = ["lookingUp", "connecting", "tlsHandshaking"] as const;
const carrying = ["sending", "waiting", "receiving"] as const;

/** Where a delay was put; all that is not named is wanted to be 0. */
export type Wanted = Partial<Record<(typeof opening)[number] | (typeof carrying)[number] | "queueing", Span>>;

export interface Sample {
  readonly timings: Timings;
  readonly wanted: Wanted;
}

export const delaysMs: readonly number[] = [40, 150, 400];
const samples = 5;
/** Nobody can say how busy a machine is with others; but what is wrong by itself is wrong every time. */
const mostAttempts = 10;
/** Less than any delay, so that one phase is never taken for another; how exact phases are is for `bench/delayed-phases.ts`. */
const toleranceMs = 30;

/** Each phase in the median of 5, within a tolerance: the one that was delayed, and all others, which were not. */
export async function expectDelays(
  sample: (delayMs: number) => Promise<Sample>,
  delays: readonly number[] = delaysMs,
): Promise<void> {
  // What is compiled first would be measured, too.
  await sample(Math.min(...delays));
  await Promise.all(
    delays.map(async (delayMs) => {
      const attempts: string[][] = [];
      while (attempts.length < mostAttempts && attempts.at(-1)?.length !== 0) {
        attempts.push(await excessesOf(sample, delayMs));
      }
      const told = attempts.map((excesses) => excesses.join(", ")).join("; ");
      expect(attempts.at(-1), `delayed by ${delayMs} ms, beyond ${toleranceMs} ms + 5 %: ${told}`).toEqual(
        [],
      );
    }),
  );
}

/** The phases whose median of 5 is beyond what is allowed. */
async function excessesOf(sample: (delayMs: number) => Promise<Sample>, delayMs: number): Promise<string[]> {
  const all: ReadonlyMap<string, number>[] = [];
  while (all.length < samples) {
    const stalls = watchStalls();
    const { timings, wanted } = await sample(delayMs);
    const stalledMs = stalls.end();
    expectToAddUp(timings);
    all.push(excessOf(timings, wanted, toleranceMs + delayMs / 20 + stalledMs));
  }
  const parts = [...(all[0]?.keys() ?? [])];
  return parts
    .map((part) => ({ part, excessMs: median(all.map((one) => one.get(part) ?? Number.NaN)) }))
    .filter(({ excessMs }) => excessMs !== 0)
    .map(({ part, excessMs }) => `${part} by ${excessMs.toFixed(1)} ms`);
}

/** By phase, how far it is beyond what is allowed, in ms: 0 where it is within. */
function excessOf(timings: Timings, wanted: Wanted, allowedMs: number): ReadonlyMap<string, number> {
  const sum = (parts: readonly (keyof Wanted)[], bound: 0 | 1): number =>
    parts.reduce((total, part) => total + (wanted[part]?.[bound] ?? 0), 0);
  const beyond = (figureMs: number, parts: readonly (keyof Wanted)[]): number =>
    Math.max(0, sum(parts, 0) - figureMs - allowedMs, figureMs - sum(parts, 1) - allowedMs);
  const blocked = ["queueing", ...opening] as const;
  return new Map([
    ...[...opening, ...carrying].map((part): [string, number] => [part, beyond(timings[part], [part])]),
    ["blocked", beyond(timings.blocked, blocked)],
    ["duration", beyond(timings.duration, carrying)],
    ["responseTime", beyond(timings.responseTime, [...blocked, ...carrying])],
  ]);
}

/** A timer that fires so late was held up by the machine, which gave this process no time. */
const stallMs = 5;

/** Watches for how long the machine gives this process no time: no phase can be known more exactly. */
function watchStalls(): { end: () => number } {
  let [lastAt, stalledMs] = [performance.now(), 0];
  const look = (): void => {
    const now = performance.now();
    if (now - lastAt > stallMs) stalledMs += now - lastAt;
    lastAt = now;
  };
  const timer = setInterval(look, 1);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return stalledMs;
    },
  };
}

/** What must hold of each request of a closed model, however late its phases were. */
export function expectToAddUp(timings: Timings): void {
  const { blocked, duration, responseTime, lookingUp, connecting, tlsHandshaking } = timings;
  const { sending, waiting, receiving } = timings;
  for (const [phase, figure] of Object.entries(timings)) expect(figure, phase).toBeGreaterThanOrEqual(0);
  expect(sending + waiting + receiving).toBeCloseTo(duration, 6);
  expect(blocked + duration).toBeCloseTo(responseTime, 6);
  expect(blocked - lookingUp - connecting - tlsHandshaking).toBeGreaterThanOrEqual(-1e-6);
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
