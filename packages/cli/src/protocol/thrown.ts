/** One-based line and column in the bundled test. */
export interface BundlePosition {
  readonly line: number;
  readonly column: number;
}

/** Something that a test threw, as it crosses threads. */
export interface Thrown {
  readonly message: string;
  /** Where, as far as the stack tells. */
  readonly position: BundlePosition | null;
}
