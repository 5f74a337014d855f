/** A measurement that is to be repeated. */
export interface Candidate {
  /** Candidates of rank 0 get their rounds before those of rank 1. */
  readonly rank: 0 | 1;
  readonly roundsDone: number;
  /** The duration of one of its rounds. */
  readonly costMs: number;
}

/**
 * Returns the candidates of the next round, in their order. Time is reserved for all rounds of rank 0; the
 * rest goes to rank 1, round by round.
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
    // Candidates with the fewest rounds come first: a round that was cut short continues where it stopped.
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
