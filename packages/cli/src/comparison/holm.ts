/**
 * Returns for each of several tests if its result is significant. The probability that any of them is, though nothing differs,
 * is at most `level`, whether the tests depend on each other or not.
 *
 * Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
 */
export function holm(pValues: readonly number[], level: number): boolean[] {
  const isSignificant = new Array<boolean>(pValues.length).fill(false);
  const order = pValues
    .map((pValue, at) => ({ pValue, at }))
    .toSorted((one, other) => one.pValue - other.pValue);
  for (const [step, { pValue, at }] of order.entries()) {
    if (pValue > level / (pValues.length - step)) break;
    isSignificant[at] = true;
  }
  return isSignificant;
}
