import { executionAsyncResource } from "node:async_hooks";
import type { ClientHttp2Stream } from "node:http2";

/**
 * Keeps the native half of a session until the streams that it cut off are collected. Node 24.21 aborts the
 * process ("Assertion failed: (current_nghttp2_memory_) == (0)") if a session is collected before a stream
 * whose headers were not complete: seen with node:http2 alone, when CONTINUATION frames never end.
 */
export class SessionKeeper {
  #session: object | null = null;

  /** Finds the native half of the session; must be called from within an event of the session. */
  learn(): void {
    this.#session ??= executionAsyncResource();
  }

  keepFor(stream: ClientHttp2Stream): void {
    if (this.#session !== null) keptSessions.register(stream, this.#session);
  }
}

/** Holds a session until its stream is collected; then there is nothing to do. */
const keptSessions: FinalizationRegistry<object> = new FinalizationRegistry(() => undefined);
