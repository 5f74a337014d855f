/** Words of browsers for a request that nobody waited for any more. */
const gaveUp = /abort|cancel/i;

/**
 * Whether a failure, in a recorder's words, is of an answer that had begun, or of one that nobody waited for. What was
 * refused or blocked, status 0, is no answer at all.
 */
export function isCutShort(failure: string, status: number | null): boolean {
  return failure !== "" && (status !== 0 || gaveUp.test(failure));
}
