/** A way in which the load generator fell short. */
export interface GeneratorFinding {
  readonly severity: "strained" | "saturated";
  /** Says what happened, and what to do about it. */
  readonly reason: string;
}

/** The values from which a measure is strained, and saturated. */
export interface FindingBounds {
  readonly strained: number;
  readonly saturated: number;
}

/** Returns a finding for a value beyond its bounds; none for one within them, or unknown. */
export function checkBounds(
  value: number | null,
  { strained, saturated }: FindingBounds,
  explain: (value: number) => string,
): GeneratorFinding[] {
  if (value === null || value < strained) return [];
  return [{ severity: value >= saturated ? "saturated" : "strained", reason: explain(value) }];
}
