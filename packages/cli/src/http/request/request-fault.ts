import { BearhugError } from "@bearhug/sdk";

/** A request that the test should not have made: the iteration fails at that line. */
export class RequestFault extends BearhugError {
  override readonly name = "RequestFault";
  readonly code: "INVALID_URL" | "HOST_NOT_ALLOWED" | "INVALID_REQUEST";
  constructor(code: RequestFault["code"], message: string) {
    super(message);
    this.code = code;
  }
}
