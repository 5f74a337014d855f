import { BearhugError } from "./bearhug-error.ts";

/**
 * Thrown by `runTest` if its options, the test or a file cannot be used. The command line prints every
 * problem and exits with code 104.
 */
export class InvalidInput extends BearhugError {
  override readonly name = "InvalidInput";
  readonly code = "INVALID_INPUT";
  /** One sentence for each problem. */
  readonly problems: readonly string[];
  /** Lines to print below the problems, such as an excerpt of the code. */
  readonly details: readonly string[];
  constructor(
    problems: readonly string[],
    options: ErrorOptions & { readonly details?: readonly string[] } = {},
  ) {
    super(problems.join("\n"), options);
    this.problems = problems;
    this.details = options.details ?? [];
  }
}
