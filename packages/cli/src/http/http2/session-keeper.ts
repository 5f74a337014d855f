import { executionAsyncResource } from "node:async_hooks";
import type { ClientHttp2Stream } from "node:http2";

/**
 * Keeps the native half of a session until the streams that it cut off are collected. Node 24 aborts the process where
 * both go in one collection, the session first, and the stream had headers that were not complete: a server that sends
 * CONTINUATION frames without end could do that to a whole load test.
 */
export class SessionKeeper {
  #session: object | null = null;

  /** To be called from within an event of the session's own: that is how its native half is known. */
  learn(): void {
    this.#session ??= executionAsyncResource();
  }

  keepFor(stream: ClientHttp2Stream): void {
    if (this.#session !== null) keptSessions.register(stream, this.#session);
  }
}

/** What it holds, it holds until the stream is gone; there is nothing to do then. */
const keptSessions: FinalizationRegistry<object> = new FinalizationRegistry(() => undefined);
