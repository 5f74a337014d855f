import { availableParallelism } from "node:os";

/** More tests loaded at once would take memory and no time less. */
const mostAtOnce = Math.min(4, availableParallelism());

/** The results of a function for each item, in their order; of few items at once. */
export async function mapSome<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  return results;
}
