import { BearhugError } from "../bearhug-error.ts";

/** Thrown by `extract` for something that describes no place in a response. */
export class InvalidExtractorError extends BearhugError {
  override readonly name = "InvalidExtractorError";
  readonly code = "INVALID_EXTRACTOR";
  constructor(problem: string) {
    super(`extract: ${problem}`);
  }
}
