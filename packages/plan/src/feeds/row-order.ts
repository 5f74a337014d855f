import type { ValidatedFeed } from "@bearhug/sdk/internal";

import { randomSource } from "../pacing/random-source.ts";

/** The index of the row at a position of a feed. The same in every worker. */
export type RowOrder = (position: number) => number;

/** The order in which a feed of so many rows gives them; after the last it begins again. */
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
      // Drawn from the position alone: no worker needs to know what the others drew.
      return (position) => Math.floor(randomSource(seed, stream + position)() * rows);
  }
}

/** Far from the streams of virtual users, which are small numbers, and another for each feed. */
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
