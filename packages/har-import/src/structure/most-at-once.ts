/** From a moment to a later one. */
export type Interval = readonly [startMs: number, endMs: number];

/** How many intervals share a moment, at most: what ends makes room for what starts. */
export function mostAtOnce(intervals: readonly Interval[]): number {
  const changes = intervals.flatMap(([startMs, endMs]): [atMs: number, by: number][] => [
    [startMs, 1],
    [endMs, -1],
  ]);
  let running = 0;
  let most = 0;
  for (const [, by] of changes.sort((left, right) => left[0] - right[0] || left[1] - right[1])) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}
