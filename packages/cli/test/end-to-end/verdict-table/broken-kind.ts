/** A kind of broken test or dead target, as an item of the lists in docs/exit-codes.md says what becomes of it. */
export interface BrokenKind {
  /** As it is called in the documentation. */
  readonly kind: string;
  /** Starts what it needs, and says how the command meets it. */
  readonly runs: () => readonly BrokenRun[] | Promise<readonly BrokenRun[]>;
}

/** One way in which the command meets it. */
export interface BrokenRun {
  readonly how: string;
  readonly arguments: readonly string[];
}
