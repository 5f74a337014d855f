import { subscribe } from "node:diagnostics_channel";
import { Readable } from "node:stream";

let onCreated: ((stream: ResponseStream) => void) | null = null;
let isWatching = false;

/** Hands over the stream that undici opens next: at once, after it has said that a request starts. Null: nobody waits. */
export function awaitStream(take: ((stream: ResponseStream) => void) | null): void {
  if (!isWatching) subscribe("http2.client.stream.created", created);
  isWatching = true;
  onCreated = take;
}

function created(message: unknown): void {
  if (!(message instanceof Object && "stream" in message && message.stream instanceof Readable)) return;
  onCreated?.(new ResponseStream(message.stream));
  onCreated = null;
}

/** A stream of node:http2's that undici reads: shows what undici leaves out, whether the server ended the response or reset it. */
export class ResponseStream {
  readonly #stream: Readable;
  /** END_STREAM came. */
  #hasEnded = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    const push = stream.push.bind(stream);
    // A reset ends it, too, but closes it first. By the event `end` it may be closed either way.
    stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (chunk === null && !stream.closed) this.#hasEnded = true;
      return push(chunk, encoding);
    };
  }

  /** The error code that closed it before END_STREAM; else null. */
  get resetCode(): number | null {
    const stream = this.#stream;
    if (this.#hasEnded || !stream.closed) return null;
    return "rstCode" in stream && typeof stream.rstCode === "number" ? stream.rstCode : null;
  }
}
