/** A place in a result document that other parts of it speak against. */
export interface Contradiction {
  /** Where: `accounting.iterations.started`. */
  readonly path: string;
  /** The fault and the expectation: `is 9, but its parts add up to 10`. */
  readonly message: string;
}

/** Sums of fractions differ by the order in which they were added up. */
const tolerance = 1e-6;

/** True if two measures are the same, but for rounding. */
export function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other));
}

/** A contradiction where a number is not what it is said to be the sum of; none where it is. */
export function unequal(path: string, is: number, expected: number, what: string): Contradiction[] {
  const areCounts = Number.isInteger(is) && Number.isInteger(expected);
  return (areCounts ? is === expected : isClose(is, expected))
    ? []
    : [{ path, message: `is ${is}, but ${what} is ${expected}` }];
}

/** The bounds of a value, by the values that it is made of. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** In words: a number, or from where to where. */
  readonly expected: string;
}

/** One value, but for rounding. */
export function around(value: number): Range {
  const slack = tolerance * Math.max(1, Math.abs(value));
  return { least: value - slack, most: value + slack, expected: String(value) };
}

/** A contradiction where a value lies outside of its range; none where it lies within. */
export function outside(path: string, value: number, range: Range, whose: string): Contradiction[] {
  if (value >= range.least && value <= range.most) return [];
  return [{ path, message: `is ${value}, but by ${whose} it is ${range.expected}` }];
}
