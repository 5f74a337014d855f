import type { Timings } from "@bearhug/sdk";
import { expect } from "vitest";

/** Least and most, in ms. */
export type Span = readonly [leastMs: number, mostMs: number];

/** Returns the span of a delay that was measured where it was made. */
export const exactly = (delayMs: number | undefined): Span => [delayMs ?? Number.NaN, delayMs ?? Number.NaN];

const opening = ["lookingUp", "connecting", "tlsHandshaking"] as const;
const carrying = ["sending", "waiting", "receiving"] as const;

/** The expected times of the delayed parts; all others are expected to be 0. */
export type Wanted = Partial<Record<(typeof opening)[number] | (typeof carrying)[number] | "queueing", Span>>;

export interface Sample {
  readonly timings: Timings;
  readonly wanted: Wanted;
}

export const delaysMs: readonly number[] = [40, 150, 400];
const samples = 5;
/** A busy machine can spoil some attempts, but a real error shows in all of them. */
const mostAttempts = 10;
/** Less than any delay, so that no phase passes for another; `bench/delayed-phases.ts` measures exactness. */
const toleranceMs = 30;

/** Expects the median of 5 of each phase within a tolerance: of the delayed one, and of all others. */
export async function expectDelays(
  sample: (delayMs: number) => Promise<Sample>,
  delays: readonly number[] = delaysMs,
): Promise<void> {
  // Warms up: otherwise the first compilation would be measured, too.
  await sample(Math.min(...delays));
  await Promise.all(
    delays.map(async (delayMs) => {
      const attempts: string[][] = [];
      while (attempts.length < mostAttempts && attempts.at(-1)?.length !== 0) {
        attempts.push(await excessesOf(sample, delayMs));
      }
      const report = attempts.map((excesses) => excesses.join(", ")).join("; ");
      expect(attempts.at(-1), `delayed by ${delayMs} ms, beyond ${toleranceMs} ms + 5 %: ${report}`).toEqual(
        [],
      );
    }),
  );
}

/** Returns the phases whose median of 5 exceeds the tolerance. */
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

/** Returns by how many ms each phase exceeds the tolerance; 0 if it is within. */
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

/** A timer that is later than this was held up by the machine, which did not run this process. */
const stallMs = 5;

/** Measures for how long the machine does not run this process: no phase can be more exact than that. */
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

/** Expects what must hold for each request of a closed model, whatever its delays. */
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
