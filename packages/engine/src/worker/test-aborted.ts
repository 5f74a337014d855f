import { BearhugError } from "@bearhug/sdk";

/** Thrown by `abort` to end the iteration that called it; a message to the coordinator stops the run. */
export class TestAborted extends BearhugError {
  override readonly name = "TestAborted";
  readonly code = "TEST_ABORTED";
  readonly #isTestAborted = true;

  /** True for a TestAborted. Unlike `instanceof`, this runs no code of the value. */
  static isTestAborted(value: unknown): value is TestAborted {
    return typeof value === "object" && value !== null && #isTestAborted in value;
  }
}
