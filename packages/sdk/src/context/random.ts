/** Random numbers of one virtual user, from the test's seed: the same seed gives the same numbers again. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  (): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One element of an array. @throws {RangeError} if it is empty. */
  pick<T>(list: readonly T[]): T;
  /** One value, chosen by weight. @throws {RangeError} if no weight is above 0. */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T;
  /** A new array with the same elements in random order. */
  shuffle<T>(list: readonly T[]): T[];
  /** A random UUID, version 4 (RFC 9562): as unique as the seed, since the same seed gives the same ones again. */
  uuid(): string;
}
