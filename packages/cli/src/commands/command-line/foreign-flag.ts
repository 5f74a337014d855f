/** A flag of another load tool that bearhug does not have under that name. */
export interface ForeignFlag {
  readonly flag: string;
  readonly tools: readonly string[];
  /** True if a value follows. Implied by a `{}` in `is`. */
  readonly hasValue?: boolean;
  /** Limits the row to values that match; without it, any value does. */
  readonly when?: RegExp;
  /**
   * The equivalents in bearhug: the first line whose flag the command has is printed. `{}` stands for the
   * value.
   */
  readonly is?: readonly string[];
  /** A remark after `is`, or the whole explanation if bearhug has no such flag: `is not needed: …`. */
  readonly says?: string;
}
