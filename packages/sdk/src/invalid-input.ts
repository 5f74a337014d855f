import { BearhugError } from "./bearhug-error.ts";
import { type SourcePosition, writePosition } from "./result/source-position.ts";
import type { Problem } from "./validation/problem.ts";

/**
 * Thrown by `runTest` for options, a test or a file that cannot be used, with a sentence for each problem. The command shows all of
 * them, and ends with exit code 104.
 */
export class InvalidInput extends BearhugError {
  override readonly name = "InvalidInput";
  readonly code = "INVALID_INPUT";
  readonly problems: readonly string[];
  /** Lines that are shown below the problems, such as code. */
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

/** A problem of a test: at an option, whose path is empty for the test as a whole; or at a place of the source. */
export interface TestProblem extends Problem {
  /** The place to mend it: the test, a variable or an option. @default "INVALID_TEST" */
  readonly code?: ProblemCode | undefined;
  readonly position?: SourcePosition | undefined;
}

/**
 * INVALID_TEST: in the test. MISSING_VARIABLE: a variable that the test needs has to be set. INVALID_OPTION: on the command line,
 * in the configuration, or in a variable.
 */
type ProblemCode = "INVALID_TEST" | "MISSING_VARIABLE" | "INVALID_OPTION";

/** A test that cannot be used, with the place of each problem. */
export class InvalidTest extends InvalidInput {
  readonly found: readonly TestProblem[];
  constructor(found: readonly TestProblem[], options?: ErrorOptions) {
    super(found.map(inOneSentence), options);
    this.found = found;
  }
}

/** A sentence about an option names the option first, and then its place: where it is mended there. */
function inOneSentence({ path, message, code = "INVALID_TEST", position }: TestProblem): string {
  if (position === undefined || code !== "INVALID_TEST") return message;
  const place = writePosition(position);
  if (path === "") return `${place}: ${message}`;
  return message.endsWith(".") ? `${message.slice(0, -1)} (${place}).` : `${message} (${place})`;
}
