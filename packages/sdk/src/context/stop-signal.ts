import { BearhugError } from "../bearhug-error.ts";

/**
 * Pending and later calls of `http`, `think` and `sleep` reject with this error after the hard stop. Do not
 * catch it: the iteration then counts as interrupted. It counts as failed only if one of its requests was
 * still without a response when the graceful stop had run its full time.
 */
export class StopSignal extends BearhugError {
  override readonly name = "StopSignal";
  readonly code = "STOP_SIGNAL";
  readonly #isStopSignal = true;
  constructor() {
    super("The test is stopping: this iteration was interrupted at the hard stop.");
  }

  /**
   * True for a StopSignal. Unlike `instanceof`, this runs no code of the value, so it is safe for anything
   * thrown.
   */
  static isStopSignal(value: unknown): value is StopSignal {
    return typeof value === "object" && value !== null && #isStopSignal in value;
  }
}
