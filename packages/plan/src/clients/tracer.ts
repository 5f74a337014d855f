import type { Tags } from "@bearhug/metrics/tags";
import type { Timings } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

import type { LogLine } from "../protocol/messages.ts";

/**
 * Receives the steps of a test's code while it runs in this thread. Texts may contain secrets: `mask` masks
 * them.
 */
export interface Tracer {
  exchange(exchange: TracedExchange, mask: Mask): void;
  /** A value that the test took from a response. */
  extracted(extraction: TracedExtraction, mask: Mask): void;
  /** `tags` are those inside the page or group. Returns a function to call at its end. */
  enter(kind: "page" | "group", name: string, tags: Tags, mask: Mask): (durationMs: number) => void;
  checked(check: TracedCheck, mask: Mask): void;
  log(line: LogLine): void;
}

export interface TracedExtraction {
  /** The extractor, described in words. */
  readonly extractor: string;
  readonly value: string;
  /** The tags of the place in the test. */
  readonly tags: Tags;
}

export interface TracedCheck {
  readonly name: string;
  readonly hasPassed: boolean;
  /** The tags of the place in the test. */
  readonly tags: Tags;
}

/** Header names and values, as sent. */
export type TracedHeaders = readonly (readonly [name: string, value: string])[];

/** A message with its body, decoded from its content encoding. */
export interface TracedMessage {
  readonly headers: TracedHeaders;
  /** Null if there is none, or it was not kept. */
  readonly body: Uint8Array | null;
  /** Size of the body as it was sent, before decoding; null if unknown. */
  readonly bodyBytes: number | null;
}

/** A request with its response. */
export interface TracedExchange {
  /** The tags of the place in the test. */
  readonly tags: Tags;
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** Such as `HTTP/1.1`; empty if no response began. */
  readonly protocol: string;
  /** 0 if no response began. */
  readonly status: number;
  /** Null if it succeeded. */
  readonly error: { readonly code: string; readonly message: string | null } | null;
  /** When the test called, by the thread's clock. */
  readonly calledAtMs: number;
  readonly timings: Timings;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly request: TracedMessage;
  readonly response: TracedMessage | null;
}
