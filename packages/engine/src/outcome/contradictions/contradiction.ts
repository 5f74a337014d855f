/** A place in a result document that other parts of it contradict. */
export interface Contradiction {
  /** The place: `accounting.iterations.started`. */
  readonly path: string;
  /** The found and the expected value: `is 9, but its parts add up to 10`. */
  readonly message: string;
}

/** Sums of fractions depend on the order of addition. */
const tolerance = 1e-6;

/** True if two values are equal, apart from rounding. */
export function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Returns a contradiction unless something holds. */
export function claim(holds: boolean, path: string, message: string): Contradiction[] {
  return holds ? [] : [{ path, message }];
}

/**
 * Returns a contradiction if a number differs from its expected value, which `what` describes; otherwise
 * none.
 */
export function unequal(path: string, is: number, expected: number, what: string): Contradiction[] {
  const areCounts = Number.isInteger(is) && Number.isInteger(expected);
  const isEqual = areCounts ? is === expected : isClose(is, expected);
  return claim(isEqual, path, `is ${is}, but ${what} is ${expected}`);
}

/** The bounds of a value that follow from the values it was computed from. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** The expected value as text: a number, or "from … to …". */
  readonly expected: string;
}

/** Returns the range of one value, apart from rounding. */
export function around(value: number): Range {
  const slack = tolerance * Math.max(1, Math.abs(value));
  return { least: value - slack, most: value + slack, expected: String(value) };
}

/** Returns a contradiction if a value is outside its range; otherwise none. */
export function outside(path: string, value: number, range: Range, whose: string): Contradiction[] {
  const isInside = value >= range.least && value <= range.most;
  return claim(isInside, path, `is ${value}, but by ${whose} it is ${range.expected}`);
}
