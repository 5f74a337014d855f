import { writePosition } from "@bearhug/metrics/results/source-position";
import { InvalidInput, type Problem } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";

/**
 * A problem in a test. `path` is that of an option, and empty for the test as a whole or for a place in the
 * source.
 */
export interface TestProblem extends Problem {
  /** The kind of problem: in the test, a variable or an option. @default "INVALID_TEST" */
  readonly code?: ProblemCode | undefined;
  readonly position?: SourcePosition | undefined;
}

/**
 * INVALID_TEST: fix the test. MISSING_VARIABLE: set a variable that the test requires. INVALID_OPTION: fix an
 * option on the command line, in the configuration or in an environment variable.
 */
type ProblemCode = "INVALID_TEST" | "MISSING_VARIABLE" | "INVALID_OPTION";

/** Thrown for a test that cannot be used. `found` has the place of each problem. */
export class InvalidTest extends InvalidInput {
  readonly found: readonly TestProblem[];
  constructor(found: readonly TestProblem[], options?: ErrorOptions) {
    super(found.map(inOneSentence), options);
    this.found = found;
  }
}

/**
 * Adds the position to the message if the test's source must be fixed. After an option's name, it ends the
 * sentence.
 */
function inOneSentence({ path, message, code = "INVALID_TEST", position }: TestProblem): string {
  if (position === undefined || code !== "INVALID_TEST") return message;
  const place = writePosition(position);
  if (path === "") return `${place}: ${message}`;
  return message.endsWith(".") ? `${message.slice(0, -1)} (${place}).` : `${message} (${place})`;
}
