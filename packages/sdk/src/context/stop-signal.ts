import { BearhugError } from "../bearhug-error.ts";

/**
 * The rejection of pending and later calls of `http`, `think` and `sleep` after the hard stop.
 * Let it pass: the iteration then counts as interrupted. It counts as failed only where one of its requests had no answer
 * when the graceful stop ran out by itself.
 */
export class StopSignal extends BearhugError {
  override readonly name = "StopSignal";
  readonly code = "STOP_SIGNAL";
  readonly #isStopSignal = true;
  constructor() {
    super("The test is stopping: this iteration was interrupted at the hard stop.");
  }

  /** True for a StopSignal. Unlike `instanceof` it runs no code of the value's own, so it is safe for anything thrown. */
  static isStopSignal(value: unknown): value is StopSignal {
    return typeof value === "object" && value !== null && #isStopSignal in value;
  }
}
