import { BearhugError } from "@bearhug/sdk";

/** Thrown by `abort`: ends the iteration that called it, while the whole run is told to stop. */
export class TestAborted extends BearhugError {
  override readonly name = "TestAborted";
  readonly code = "TEST_ABORTED";
  readonly #isTestAborted = true;

  /** True for a TestAborted. Unlike `instanceof` it runs no code of the value's own. */
  static isTestAborted(value: unknown): value is TestAborted {
    return typeof value === "object" && value !== null && #isTestAborted in value;
  }
}
