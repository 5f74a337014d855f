import { randomFillSync } from "node:crypto";

import { readProperty } from "@bearhug/plan/protocol/read-thrown";

import type { Draft } from "./draft.ts";

const name = "traceparent";
const traceBytes = 16;
const spanBytes = 8;
const idBytes = traceBytes + spanBytes;
/** Random bytes are generated for this many requests at once. */
const idsInPool = 256;

const noHeaders: readonly string[] = [];
let pool = Buffer.alloc(0);
let used = 0;

/** A span of the test's own OpenTelemetry, as header values. */
export interface ActiveSpan {
  readonly traceparent: string;
  /** Null if the span has no trace state. */
  readonly tracestate: string | null;
}

/** The symbols of the globals, and of the active span, that all copies of `@opentelemetry/api` share. */
const registered = Symbol.for("opentelemetry.js.api.1");
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** Returns the active span of the calling test; null if there is none. */
export function activeSpan(): ActiveSpan | null {
  const api = readProperty(globalThis, registered);
  if (api === undefined) return null;
  const span = call(call(readProperty(api, "context"), "active"), "getValue", spanKey);
  const context = call(span, "spanContext");
  const traceId = readProperty(context, "traceId");
  const spanId = readProperty(context, "spanId");
  const flags = readProperty(context, "traceFlags");
  const state = call(readProperty(context, "traceState"), "serialize");
  const hex = typeof flags === "number" ? (flags & 255).toString(16).padStart(2, "0") : "00";
  const header = `00-${String(traceId)}-${String(spanId)}-${hex}`;
  if (!valid.test(header)) return null;
  const isGiven = typeof state === "string" && printable.test(state);
  return { traceparent: header, tracestate: isGiven ? state : null };
}

const valid = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const printable = /^[ -~]+$/;

function call(target: unknown, method: string, ...given: readonly unknown[]): unknown {
  const found = readProperty(target, method);
  return typeof found === "function" ? Reflect.apply(found, target, given) : undefined;
}

/**
 * Returns the trace headers of a request (W3C Trace Context), names and values in turn; none if the test sets
 * one itself. A request belongs to the test's span, or begins a trace. The ids do not come from the run's
 * seed, because the target stores the traces of all runs together.
 */
export function traceHeader(draft: Draft, span: ActiveSpan | null): readonly string[] {
  if (draft.setsHeader(name)) return noHeaders;
  if (span !== null) {
    const { traceparent, tracestate } = span;
    const isForwarded = tracestate !== null && !draft.setsHeader("tracestate");
    return isForwarded ? [name, traceparent, "tracestate", tracestate] : [name, traceparent];
  }
  if (used === pool.length) {
    pool = randomFillSync(pool.length === 0 ? Buffer.allocUnsafeSlow(idsInPool * idBytes) : pool);
    used = 0;
  }
  const ids = pool.toString("hex", used, used + idBytes);
  used += idBytes;
  return [name, `00-${ids.slice(0, 2 * traceBytes)}-${ids.slice(2 * traceBytes)}-01`];
}

const written = /^[\da-f]{2}-([\da-f]{32})-/;

/** Returns the trace id in a request's headers (names and values in turn); null without one. */
export function traceIdOf(headers: readonly string[]): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const given = headers[at] ?? "";
    if (given.length === name.length && given.toLowerCase() === name)
      return written.exec(headers[at + 1] ?? "")?.[1] ?? null;
  }
  return null;
}
