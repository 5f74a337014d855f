import { BearhugError } from "./bearhug-error.ts";

/**
 * What pending and later calls of `http`, `think` and `sleep` reject with once the hard stop has come.
 * Let it pass: the iteration then counts as interrupted, not as failed.
 */
export class StopSignal extends BearhugError {
  override readonly name = "StopSignal";
  readonly code = "STOP_SIGNAL";
  constructor() {
    super("The test is stopping: this iteration was interrupted at the hard stop.");
  }
}
