import { BearhugError } from "@bearhug/sdk";

/** Options, a test or a file that cannot be used: one sentence for each problem, shown together, exit 104. */
export class InvalidInput extends BearhugError {
  override readonly name = "InvalidInput";
  readonly code = "INVALID_INPUT";
  readonly problems: readonly string[];
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join("\n"), options);
    this.problems = problems;
  }
}
