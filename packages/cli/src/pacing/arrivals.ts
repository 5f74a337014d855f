/** When iterations of an open model should start: pure, so that a test is a table. */
export interface ArrivalSchedule {
  /** Milliseconds after the scenario's start at which arrival `index` (from 0) is due; Infinity past the last. */
  dueMs(index: number): number;
  /** How many arrivals there are in all. */
  readonly total: number;
}

/** `rate` arrivals each `timeUnitMs`, evenly spaced, the first at 0, none at or after `durationMs`. */
export function constantArrivals(rate: number, timeUnitMs: number, durationMs: number): ArrivalSchedule {
  // Multiplied before it is divided: index · (timeUnit / rate) would drift by the rounding of the quotient.
  const dueMs = (index: number): number => (index * timeUnitMs) / rate;
  let total = Math.ceil((durationMs * rate) / timeUnitMs);
  // The quotient may be off by its rounding: the schedule itself decides about the last one.
  if (total > 0 && dueMs(total - 1) >= durationMs) total--;
  else if (dueMs(total) < durationMs) total++;
  return { total, dueMs: (index) => (index < total ? dueMs(index) : Number.POSITIVE_INFINITY) };
}
