/** A finding that the load generator did not keep up. */
export interface GeneratorFinding {
  readonly severity: "strained" | "saturated";
  /** Describes what happened, and a remedy. */
  readonly reason: string;
}

/** The values from which a measurement counts as strained, and as saturated. */
export interface FindingBounds {
  readonly strained: number;
  readonly saturated: number;
}

/** Returns a finding for a value that reaches its bounds; none for a lower or unknown value. */
export function checkBounds(
  value: number | null,
  { strained, saturated }: FindingBounds,
  explain: (value: number) => string,
): GeneratorFinding[] {
  if (value === null || value < strained) return [];
  return [{ severity: value >= saturated ? "saturated" : "strained", reason: explain(value) }];
}
