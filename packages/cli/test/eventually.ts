import { vi } from "vitest";

/** A busy machine keeps a process waiting for seconds; after 5 s, a server of Node closes a connection that the client should have closed. */
const patienceMs = 4000;

/** Tries until a claim holds: for what comes about by itself, soon, but at a time that nobody promises. */
export function eventually<Value>(claim: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(claim, { timeout: patienceMs });
}
