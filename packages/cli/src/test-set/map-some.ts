import { availableParallelism } from "node:os";

/** Loading more tests at once would use more memory without saving time. */
const maxAtOnce = Math.min(4, availableParallelism());

/** Maps items with an async function, a few at a time. Returns the results in the order of the items. */
export async function mapSome<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return results;
}
