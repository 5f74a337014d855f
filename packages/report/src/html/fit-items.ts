import { formatCount } from "@bearhug/text/number";

import type { SelectedFacts } from "./page-data.ts";

/** Returns the longest prefix that fits into this many characters of the page, and notes how many more there are. */
export function fittingFacts<Facts>(
  facts: readonly Facts[],
  mostCharacters: number,
  note: string,
): SelectedFacts<Facts> {
  let left = mostCharacters;
  const end = facts.findIndex((one) => {
    left -= JSON.stringify(one).length;
    return left < 0;
  });
  if (end < 0) return { items: facts, note };
  const more = `${formatCount(facts.length - end)} more are in the result as JSON.`;
  return { items: facts.slice(0, end), note: `${note} ${more}` };
}
