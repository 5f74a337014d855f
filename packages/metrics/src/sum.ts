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
