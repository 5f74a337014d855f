/** Statuses from `min` to `max`, both included. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}
