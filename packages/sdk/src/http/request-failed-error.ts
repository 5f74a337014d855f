import { BearhugError } from "../bearhug-error.ts";
import type { Response } from "./response.ts";

/** Thrown by requests with `throwOnError: true`: no response arrived, or none with an expected status. */
export class RequestFailedError extends BearhugError {
  override readonly name = "RequestFailedError";
  readonly code = "REQUEST_FAILED";
  /** The name that the request is grouped by. */
  readonly requestName: string;
  /** The failed response. Its `error` is set if no response arrived. */
  readonly response: Response;
  constructor(requestName: string, response: Response) {
    super(
      `${requestName} failed: ${response.error?.message ?? `status ${response.status} was not expected`}`,
    );
    this.requestName = requestName;
    this.response = response;
  }
}
