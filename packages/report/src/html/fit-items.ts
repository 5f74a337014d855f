import { formatCount } from "@bearhug/text/number";

import type { Selection } from "./page-data.ts";

/** Returns the longest prefix that fits into this many characters of the page, and notes how many more there are. */
export function fittingItems<Item>(
  items: readonly Item[],
  mostCharacters: number,
  note: string,
): Selection<Item> {
  let left = mostCharacters;
  const end = items.findIndex((one) => {
    left -= JSON.stringify(one).length;
    return left < 0;
  });
  if (end < 0) return { items, note };
  const more = `${formatCount(items.length - end)} more are in the result as JSON.`;
  return { items: items.slice(0, end), note: `${note} ${more}` };
}
