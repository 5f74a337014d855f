import { indexTexts } from "@bearhug/sdk/internal";

/** A secret that stands in what was written. */
export interface Leak {
  /** Which of the texts. */
  readonly textIndex: number;
  /** Where in it. */
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in texts. To make one takes longer than to search a text with it. */
export type FindLeaks = (texts: readonly string[]) => Leak[];

/**
 * Finds every place at which something that must not be written was: as it is, or percent-, form-, JSON-, JavaScript-, HTML- or
 * base64-encoded, even one in another. Texts of less than six characters are not looked for: they would be found by
 * chance.
 */
export function createLeakFinder(redacted: readonly string[]): FindLeaks {
  const find = indexTexts(redacted);
  return (texts) =>
    texts.flatMap((text, textIndex) => find(text).map(({ start, end }) => ({ textIndex, start, end })));
}
