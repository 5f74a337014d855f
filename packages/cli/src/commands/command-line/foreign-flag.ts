/** A flag of another load tool that bearhug does not have under that name. */
export interface ForeignFlag {
  readonly flag: string;
  readonly tools: readonly string[];
  /** True if a value follows. Implied by a `{}` in `is`. */
  readonly hasValue?: boolean;
  /** The values that it is about; any if left out. */
  readonly when?: RegExp;
  /** The same in bearhug: the first line whose flags the command has. `{}` stands for the value, which is shown then. */
  readonly is?: readonly string[];
  /** Follows `is`, or stands in its place where bearhug has no such flag: `is not needed: …`. */
  readonly says?: string;
}
