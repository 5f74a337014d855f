/** Something that the load generator did not do as well as it should. */
export interface Finding {
  readonly severity: "strained" | "saturated";
  /** In words that say what to do about it. */
  readonly reason: string;
}

/** From which values on a measure is one. */
export interface Bounds {
  readonly strained: number;
  readonly saturated: number;
}

/** What a value is found to be; nothing where it is not known, or within its bounds. */
export function judgeValue(
  value: number | null,
  { strained, saturated }: Bounds,
  explain: (value: number) => string,
): Finding[] {
  if (value === null || value < strained) return [];
  return [{ severity: value >= saturated ? "saturated" : "strained", reason: explain(value) }];
}
