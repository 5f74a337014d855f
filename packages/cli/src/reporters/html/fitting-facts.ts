/** Returns the longest prefix that fits into this many characters of the page. */
export function fittingFacts<Facts>(facts: readonly Facts[], mostCharacters: number): Facts[] {
  let left = mostCharacters;
  const end = facts.findIndex((one) => {
    left -= JSON.stringify(one).length;
    return left < 0;
  });
  return end < 0 ? [...facts] : facts.slice(0, end);
}
