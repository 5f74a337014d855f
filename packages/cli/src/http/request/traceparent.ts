import { randomFillSync } from "node:crypto";

import type { Draft } from "./draft.ts";

const name = "traceparent";
const traceBytes = 16;
const spanBytes = 8;
const idBytes = traceBytes + spanBytes;
/** Random bytes are drawn for so many requests at once. */
const idsInPool = 256;

const noHeaders: readonly string[] = [];
let pool = Buffer.alloc(0);
let used = 0;

/**
 * The header that begins a trace (W3C Trace Context), name and value in turn; none if the test sets one itself. Its ids do not
 * come from the run's seed: the target keeps the traces of all runs together.
 */
export function traceHeader(draft: Draft): readonly string[] {
  if (draft.gives(name)) return noHeaders;
  if (used === pool.length) {
    pool = randomFillSync(pool.length === 0 ? Buffer.allocUnsafeSlow(idsInPool * idBytes) : pool);
    used = 0;
  }
  const ids = pool.toString("hex", used, used + idBytes);
  used += idBytes;
  return [name, `00-${ids.slice(0, 2 * traceBytes)}-${ids.slice(2 * traceBytes)}-01`];
}

const written = /^[\da-f]{2}-([\da-f]{32})-/;

/** The trace that a request belongs to, by its headers (names and values in turn); null without one. */
export function traceIdOf(headers: readonly string[]): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const given = headers[at] ?? "";
    if (given.length === name.length && given.toLowerCase() === name)
      return written.exec(headers[at + 1] ?? "")?.[1] ?? null;
  }
  return null;
}
