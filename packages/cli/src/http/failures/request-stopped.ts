/** Which of a request's time-outs passed. */
export type TimeoutBound = "whole" | "connect" | "firstByte";

/** Time was up; thrown by nobody, made when a deadline expires. */
export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly bound: TimeoutBound;
  readonly timeoutMs: number;
  constructor(bound: TimeoutBound, timeoutMs: number) {
    super(`no complete response within ${timeoutMs} ms`);
    this.bound = bound;
    this.timeoutMs = timeoutMs;
  }
}

/** More of a body came than the test allows. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`a body of more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The test's own signal gave the request up. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
  constructor() {
    super("the test's signal was aborted");
  }
}
