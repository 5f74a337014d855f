import type { RunMoment } from "@bearhug/sdk/result";

/** A place on the time axis that a run shares with a base: when it ends, and what each of them did then. */
export interface SharedPlace {
  readonly atMs: number;
  readonly own: RunMoment | null;
  readonly base: RunMoment | null;
}

/**
 * Places a base beside a run, by the time since each one's start. Intervals may have different lengths: beside one of the
 * run stands that of the base in which its middle lies. What the base has after the run's end follows.
 */
export function alignBase(moments: readonly RunMoment[], base: readonly RunMoment[]): SharedPlace[] {
  const middles = moments.map(({ atMs }, at) => (atMs + (moments[at - 1]?.atMs ?? 0)) / 2);
  const end = moments.at(-1)?.atMs ?? 0;
  let at = 0;
  const shared = moments.map((own, place): SharedPlace => {
    const middle = middles[place] ?? own.atMs;
    while (at < base.length && (base[at]?.atMs ?? 0) < middle) at++;
    return { atMs: own.atMs, own, base: base[at] ?? null };
  });
  const later = base.filter(({ atMs }, place) => (atMs + (base[place - 1]?.atMs ?? 0)) / 2 > end);
  return [...shared, ...later.map((one) => ({ atMs: one.atMs, own: null, base: one }))];
}
