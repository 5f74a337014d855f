import { noteFault } from "@bearhug/plan/protocol/test-faults";
import { BearhugError } from "@bearhug/sdk";

/** Deep enough to reach the test's line: V8's default of ten frames ends inside the engine. */
const deepestFrame = 50;

/** A request that the test should not have made: the iteration fails at that line. */
export class RequestFault extends BearhugError {
  override readonly name = "RequestFault";
  readonly code: "INVALID_URL" | "HOST_NOT_ALLOWED" | "INVALID_REQUEST";
  constructor(code: RequestFault["code"], message: string) {
    super(message);
    this.code = code;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = deepestFrame;
    Error.captureStackTrace(this, RequestFault);
    Error.stackTraceLimit = stackTraceLimit;
    noteFault(this);
  }
}

/** Creates the fault for invalid options of a request. */
export function invalid(sentence: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", sentence);
}
