/** The end of a message about a share that is over its limit: the limit, and how to set another. */
export function describeLimit(share: number, howToSet: string): string {
  return `. The limit is ${Number((share * 100).toPrecision(4))} %; to set your own, ${howToSet}`;
}
