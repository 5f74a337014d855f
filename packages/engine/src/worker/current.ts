import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";

import type { Client } from "@bearhug/plan/clients/client";
import type { UnhandledErrorCode } from "@bearhug/plan/protocol/read-thrown";

/**
 * The owner of the running code: an iteration, setup, teardown or the test's module. A plain `fetch` in it
 * belongs to its VU. Code of a program around the run has no owner.
 */
export const current: AsyncLocalStorage<Current> = new AsyncLocalStorage<Current>();

/** Runs code that an owner starts, and returns its result. */
export type RunOwned = <Given>(owner: Current, code: (given: Given) => unknown, given: Given) => unknown;

/**
 * Returns a function that runs code in the async context of this call, with its owner. It copies the context
 * once for each iteration; `current.run` would copy it on entry and again at the end, and a snapshot copies
 * its arguments three times.
 */
export function runOwnedHere(): RunOwned {
  const here = new AsyncResource("bearhug");
  return (owner, code, given) => here.runInAsyncScope(enter, undefined, owner, code, given);
}

function enter<Given>(owner: Current, code: (given: Given) => unknown, given: Given): unknown {
  current.enterWith(owner);
  return code(given);
}

/** The owner of running code, for callers that cannot reach it in any other way. */
export interface Current {
  readonly clients: readonly Client[];
  /** True for setup and teardown: what they start, such as a server, is not restricted during the load. */
  readonly isStage?: true;
  /** Receives an unhandled error of the owner's code; absent where such an error ends the worker. */
  onUnhandledError?(unhandled: UnhandledError): void;
  /**
   * Receives the place where the owner's code set a timer that never fired; absent if these are not reported.
   */
  onUnfiredTimer?(at: Error): void;
  /** Receives an error that bearhug is about to throw into the owner's code, which may catch it. */
  onFault?(fault: Error): void;
}

/** The owner of the code outside of the functions of the test's module. */
export const moduleCode: Current = { clients: [] };

/** An unhandled rejection or an uncaught exception. */
export interface UnhandledError {
  readonly code: UnhandledErrorCode;
  readonly error: unknown;
}
