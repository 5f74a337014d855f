/** Something wrong with a value that was given: a test, or a result document. */
export interface Problem {
  /** Where: `scenarios.readers.rate`; empty for the value as a whole. */
  readonly path: string;
  /** One sentence that says what, where and how to mend it. It reads well on its own. */
  readonly message: string;
}
