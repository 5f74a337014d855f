import { limitWords } from "@bearhug/metrics/results/reason-words";

/** Returns the end of a message about a share over its limit: the limit, and how to change it. */
export function describeLimit(share: number, howToSet: string): string {
  return `${limitWords}${Number((share * 100).toPrecision(4))} %; to set your own, ${howToSet}`;
}

/** True for a message about a share over its limit. */
export function isOverLimit(message: string): boolean {
  return message.includes(limitWords);
}
