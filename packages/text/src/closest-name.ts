import { quote } from "./printable.ts";
/** Returns the candidate that is closest to a misspelt name, ignoring case; undefined if none is close. */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let closest: string | undefined;
  // up to three letters may differ, but never more than half of them
  let least = Math.min(3, Math.floor(name.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      closest = candidate;
    }
  }
  return closest;
}

/**
 * Returns Levenshtein's distance: the fewest insertions, deletions and substitutions that turn `from` into
 * `to`.
 */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const deletion = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(substitution, deletion, insertion));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** Returns `: did you mean "rate"?` if a candidate is close, otherwise `: ` and the alternative. */
export function suggestName(name: string, candidates: readonly string[], otherwise: string): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? `: ${otherwise}` : `: did you mean ${quote(closest)}?`;
}

/** Returns "Did you mean rate?" if a candidate is close, otherwise the alternative. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise: string): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? otherwise : `Did you mean ${closest}?`;
}

/** Lists names to choose from: "a, b or c". */
export function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
