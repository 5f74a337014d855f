/** A flag of another load tool that bearhug does not have under that name. */
export interface ForeignFlag {
  readonly flag: string;
  /** The tools that have it, as in a sentence: `hey and oha`. */
  readonly tools: string;
  /** True if a value follows. Implied by a `{}` in `is`. */
  readonly hasValue?: boolean;
  /** Limits the row to values that match; without it, any value does. */
  readonly when?: RegExp;
  /**
   * The equivalents in bearhug, as in `--requests {} or --iterations {}`: the first whose flag the command
   * has is printed. `{}` stands for the value.
   */
  readonly is?: string;
  /** A remark after `is`, or the whole explanation if bearhug has no such flag: `is not needed: …`. */
  readonly says?: string;
}
