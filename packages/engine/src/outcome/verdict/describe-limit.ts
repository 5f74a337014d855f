/** Returns the end of a message about a share over its limit: the limit, and how to change it. */
export function describeLimit(share: number, howToSet: string): string {
  return `. The limit is ${Number((share * 100).toPrecision(4))} %; to set your own, ${howToSet}`;
}
