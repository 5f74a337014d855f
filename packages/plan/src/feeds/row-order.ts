import type { ValidatedFeed } from "../definition/feed-options.ts";
import { randomSource } from "../pacing/random-source.ts";

/** Returns the index of the row at a position of a feed. The same in every worker. */
export type RowOrder = (position: number) => number;

/** Returns the order in which a feed hands out its rows; after the last row it begins again. */
export function rowOrder(order: ValidatedFeed["order"], rows: number, seed: number, name: string): RowOrder {
  const stream = streamOf(name);
  switch (order) {
    case "sequential":
      return (position) => position % rows;
    case "shuffled": {
      const shuffled = shuffledIndexes(rows, seed, stream);
      return (position) => shuffled[position % rows] ?? 0;
    }
    case "random":
      // Depends on the position alone, so that workers need not know each other's draws.
      return (position) => Math.floor(randomSource(seed, stream + position)() * rows);
  }
}

/**
 * Returns the random stream of a feed. Each feed has another one, far from those of virtual users,
 * which are small numbers.
 */
function streamOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0x40000000;
}

/** Fisher–Yates. */
function shuffledIndexes(count: number, seed: number, stream: number): Uint32Array {
  const random = randomSource(seed, stream);
  const indexes = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const moved = indexes[last] ?? 0;
    indexes[last] = indexes[other] ?? 0;
    indexes[other] = moved;
  }
  return indexes;
}
