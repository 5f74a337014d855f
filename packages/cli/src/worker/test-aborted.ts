import { BearhugError } from "@bearhug/sdk";

/** Thrown by `abort`: ends the iteration that called it, while the whole run is told to stop. */
export class TestAborted extends BearhugError {
  override readonly name = "TestAborted";
  readonly code = "TEST_ABORTED";
}
