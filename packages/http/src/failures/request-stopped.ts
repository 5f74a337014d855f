import type { ExpiredGrace } from "@bearhug/plan/clients/client";

/** Which of a request's timeouts passed. */
export type TimeoutBound = "whole" | "connect" | "firstByte";

/** A timeout passed. Never thrown: it is created when a deadline expires. */
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

/** There was no complete response when the graceful stop or ramp-down ran out. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  readonly grace: ExpiredGrace;
  constructor(grace: ExpiredGrace) {
    super(`no response before ${grace.option} (${grace.graceMs} ms) ran out`);
    this.grace = grace;
  }
}

/** A body exceeded the size that the test allows. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`a body of more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The test's own signal aborted the request. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
  constructor() {
    super("the test's signal was aborted");
  }
}

/** Returns true if we stopped waiting before the target ended the request. */
export function isOurCut(error: unknown): boolean {
  return (
    error instanceof RequestTimeout ||
    error instanceof Unanswered ||
    error instanceof RequestAborted ||
    error instanceof BodyTooLarge
  );
}
