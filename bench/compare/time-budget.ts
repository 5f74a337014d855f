/** One measurement that is to be repeated. */
export interface Candidate {
  /** 0 before 1: the first to get its rounds. */
  readonly rank: 0 | 1;
  readonly roundsDone: number;
  /** What one round of it takes. */
  readonly costMs: number;
}

/**
 * Those that run in the next round, in their order. Time is kept for all rounds of rank 0 first; what is left goes to
 * rank 1, round by round.
 */
export function chooseRound<T extends Candidate>(
  candidates: readonly T[],
  rounds: number,
  remainingMs: number,
): T[] {
  const chosen = new Set<T>();
  let leftMs = remainingMs;
  for (const rank of [0, 1] as const) {
    const open = candidates.filter((each) => each.rank === rank && each.roundsDone < rounds);
    // Those with fewest rounds first: a round that was cut short goes on where it stopped.
    const fewestFirst = open.toSorted((left, right) => left.roundsDone - right.roundsDone);
    let spentMs = 0;
    for (const each of fewestFirst) {
      if (spentMs + each.costMs > leftMs) continue;
      spentMs += each.costMs;
      chosen.add(each);
    }
    leftMs -= open.reduce((sum, { costMs, roundsDone }) => sum + costMs * (rounds - roundsDone), 0);
  }
  return candidates.filter((each) => chosen.has(each));
}
