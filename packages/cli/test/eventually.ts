import { vi } from "vitest";

/**
 * A busy machine may delay a process for seconds, but after 5 s a Node server itself closes a connection that
 * the client should have closed.
 */
const patienceMs = 4000;

/** Repeats a claim until it holds, for effects that come soon, but at no guaranteed time. */
export function eventually<Value>(claim: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(claim, { timeout: patienceMs });
}
