import { executionAsyncResource } from "node:async_hooks";
import type { ClientHttp2Stream } from "node:http2";

/**
 * Keeps the native half of a session until the streams that it cut off are collected. Node 24.21 aborts the process
 * ("Assertion failed: (current_nghttp2_memory_) == (0)") where a session is collected before a stream whose headers were
 * not complete: seen with node:http2 alone, when a server sends CONTINUATION frames without end.
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

/** A stream is held until it is gone; then there is nothing to do. */
const keptSessions: FinalizationRegistry<object> = new FinalizationRegistry(() => undefined);
