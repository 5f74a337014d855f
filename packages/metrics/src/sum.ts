import { recordOf } from "./record-of.ts";

/** Returns the sum of numbers, added up in their order. */
export function sum(values: Iterable<number>): number {
  return sumBy(values, (value) => value);
}

/** Returns the sum of a number of each item. */
export function sumBy<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/** Adds up each of these figures of all rows. */
export function sumFigures<Figure extends string>(
  rows: readonly NoInfer<Readonly<Record<Figure, number>>>[],
  ...figures: readonly Figure[]
): Record<Figure, number> {
  return recordOf(figures, (figure) => sumBy(rows, (row) => row[figure]));
}
