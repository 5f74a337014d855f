/** Decoded names and values of a query, as `name=value`. A part without `=` is a value without a name. */
export interface QueryValues {
  /** Each name once, in code-unit order. */
  readonly names: readonly string[];
  readonly pairs: readonly string[];
}

/** Parses a query, with or without its `?`, or a form, which has the same syntax. */
export function readQuery(search: string): QueryValues {
  const names = new Set<string>();
  const pairs: string[] = [];
  for (const part of search.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = equals < 0 ? "" : decode(part.slice(0, equals));
    names.add(name);
    pairs.push(`${name}=${decode(part.slice(equals + 1))}`);
  }
  return { names: [...names].sort(), pairs };
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** The number of times that each pair occurs. */
export type PairCounts = ReadonlyMap<string, number>;

export function countPairs(pairs: readonly string[]): PairCounts {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

/** Counts the pairs that occur in both, each as often as in both. */
export function countEqual(requested: PairCounts, recorded: PairCounts): number {
  let equal = 0;
  for (const [pair, times] of requested) equal += Math.min(times, recorded.get(pair) ?? 0);
  return equal;
}
