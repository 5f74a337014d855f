/** A kind of broken test or dead target. An item of the lists in docs/exit-codes.md gives its verdict. */
export interface BrokenKind {
  /** The name in the documentation. */
  readonly kind: string;
  /** Starts what the kind needs, and returns the command lines that meet it. */
  readonly runs: () => readonly BrokenRun[] | Promise<readonly BrokenRun[]>;
}

/** One command line that meets a kind. */
export interface BrokenRun {
  readonly how: string;
  readonly arguments: readonly string[];
}
