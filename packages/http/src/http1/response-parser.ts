import { restOf } from "../net/shared-reader.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import type { ResponseHead } from "../transport/transport.ts";
import { ChunkedBody } from "./chunked-body.ts";
import {
  type KnownHead,
  beginsInterim,
  decidingBytes,
  type Http1ResponseHead,
  isForbidden,
  mayBeginHead,
  readResponseHead,
} from "./response-head.ts";
import { malformedHead } from "./malformed.ts";

/** Longer heads are rejected. Node's own default limit is a quarter of this. */
const maxHeadBytes = 64 * 1024;
const maxHeaders = 1000;
/** More interim responses than this are an attack, or a mistake. */
const maxInterim = 20;

export interface ResponseEvents {
  /** The first bytes arrived, too few to distinguish an interim response from the final one. */
  onFirstBytes(): void;
  onInterim(head: ResponseHead): void;
  /** The final response begins, after interim ones if there are any. */
  onBegin(): void;
  onHead(head: ResponseHead): void;
  /** `chunk` is a view of the bytes passed to `feed`. */
  onBody(chunk: Uint8Array): void;
  /** Called only if there are trailers. */
  onTrailers?(fields: readonly string[]): void;
}

const headEnd = Buffer.from("\r\n\r\n");

type State = "idle" | "head" | "length" | "chunked" | "untilClose" | "complete";

/**
 * Parses HTTP/1.1 responses, one at a time, however their bytes are split. It is strict: input that is not
 * HTTP to the letter could be read in two ways, and a measuring instrument must not guess.
 */
export class ResponseParser {
  readonly #events: ResponseEvents;
  #state: State = "idle";
  #method = "";
  /** The head of the last response to this request: the next one is probably equal. */
  #known: KnownHead | null = null;
  /** The beginning of a head that has not ended yet. */
  #partial: PartialHead | null = null;
  #interim = 0;
  #remaining = 0;
  #chunked: ChunkedBody | null = null;
  /** The head of the current response, or of the last one. */
  head: Http1ResponseHead | null = null;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /**
   * Prepares for the response to a request. If its head equals the one in `known`, it is not parsed; a new
   * head is stored there.
   */
  expect(method: string, known: KnownHead | null = null): void {
    this.#method = method;
    this.#known = known;
    this.#state = "head";
    this.#interim = 0;
    this.#partial = null;
    this.head = null;
  }

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /**
   * Parses more bytes. Returns how many of them belong to the response: fewer than given if it ended within
   * them.
   * @throws {TransportFailure} for what is not HTTP
   */
  feed(bytes: Buffer): number {
    let position = 0;
    while (position < bytes.length && this.#state !== "complete" && this.#state !== "idle") {
      position += this.#step(position === 0 ? bytes : restOf(bytes, position));
    }
    return position;
  }

  /**
   * Handles the peer's close of the connection. Returns true if that completes the response. Over TLS, a
   * `close_notify` should follow a body that ends there (RFC 9112, section 9.8), but node:tls does not report
   * it.
   */
  end(): boolean {
    if (this.#state === "untilClose") this.#state = "complete";
    return this.#state === "complete";
  }

  #step(bytes: Buffer): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes);
      case "length":
        return this.#readLength(bytes);
      case "chunked":
        return this.#readChunks(bytes);
      case "untilClose":
        this.#events.onBody(bytes);
        return bytes.length;
      case "idle":
      case "complete":
        return 0;
    }
  }

  #readHead(bytes: Buffer): number {
    const known = this.#partial === null ? this.#known : null;
    const head = known?.find(bytes, this.#method) ?? null;
    if (known !== null && head !== null) {
      this.#events.onBegin();
      this.#take(head);
      return known.length;
    }
    const before = this.#partial?.length ?? 0;
    const all = this.#partial?.append(bytes) ?? bytes;
    if (before < decidingBytes) this.#reportBeginning(all, before);
    // The end of the head may be split between two pieces.
    const end = all.indexOf(headEnd, Math.max(0, before - 3));
    if (end < 0) {
      this.#validatePart(all, before);
      if (this.#partial === null) (this.#partial = new PartialHead()).append(bytes);
      return bytes.length;
    }
    this.#partial = null;
    if (end > maxHeadBytes) throw headersTooLarge(end);
    this.#takeHead(all, end);
    return end + headEnd.length - before;
  }

  #reportBeginning(all: Buffer, before: number): void {
    if (all.length >= decidingBytes) {
      if (!beginsInterim(all)) this.#events.onBegin();
    } else if (before === 0) this.#events.onFirstBytes();
  }

  /** Rejects bytes that cannot become a head without waiting for its end, which may never come. */
  #validatePart(all: Buffer, before: number): void {
    // The last bytes may belong to the empty line, which does not count.
    if (all.length >= maxHeadBytes + headEnd.length) throw headersTooLarge(all.length);
    if (
      !mayBeginHead(all.toString("latin1", 0, 16)) ||
      isForbidden(all.toString("latin1", Math.max(0, before - 1)))
    )
      throw malformedHead(all.toString("latin1"));
  }

  /** `end`: the position of the line end that, with the empty line, ends the head. */
  #takeHead(bytes: Buffer, end: number): void {
    const text = bytes.toString("latin1", 0, end + 2);
    const head = readResponseHead(text, this.#method);
    if (head.status === 101) {
      throw new TransportFailure({
        kind: "upgraded",
        reason: "it sent status 101, which the request did not ask for",
      });
    }
    if (head.status < 200) {
      if (++this.#interim > maxInterim) {
        const reason = `more than ${maxInterim} interim responses before the final one`;
        throw new TransportFailure({ kind: "tooManyInterim", reason });
      }
      this.#events.onInterim(head);
      return;
    }
    // Each header takes memory once headers are parsed.
    if (text.length > 4 * maxHeaders && head.rawHeaders().length > 2 * maxHeaders) {
      const reason = `more than ${maxHeaders} headers`;
      throw new TransportFailure({ kind: "headersTooLarge", reason });
    }
    this.#known?.keep(bytes, end + headEnd.length, this.#method, head);
    this.#take(head);
  }

  #take(head: Http1ResponseHead): void {
    this.head = head;
    this.#begin(head);
    this.#events.onHead(head);
  }

  #begin({ framing }: Http1ResponseHead): void {
    switch (framing.kind) {
      case "none":
        this.#state = "complete";
        break;
      case "length":
        this.#remaining = framing.bytes;
        this.#state = "length";
        break;
      case "chunked":
        this.#chunked = new ChunkedBody();
        this.#state = "chunked";
        break;
      case "untilClose":
        this.#state = "untilClose";
        break;
    }
  }

  #readLength(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.#remaining);
    this.#remaining -= taken;
    if (this.#remaining === 0) this.#state = "complete";
    this.#events.onBody(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    return taken;
  }

  #readChunks(bytes: Buffer): number {
    const chunked = (this.#chunked ??= new ChunkedBody());
    const taken = chunked.feed(bytes, (chunk) => {
      this.#events.onBody(chunk);
    });
    if (chunked.isComplete) {
      this.#chunked = null;
      this.#state = "complete";
      if (chunked.trailers.length > 0) this.#events.onTrailers?.(chunked.trailers);
    }
    return taken;
  }
}

function headersTooLarge(bytes: number): TransportFailure {
  const reason = `response headers of ${bytes} bytes or more; the limit is ${maxHeadBytes}`;
  return new TransportFailure({ kind: "headersTooLarge", reason });
}

/** The beginning of a head that arrives in pieces. Its memory doubles, so that the total cost is linear. */
export class PartialHead {
  #memory: Buffer = Buffer.alloc(0);
  length = 0;

  /** Returns everything received so far, as a view that is valid until the next piece. */
  append(bytes: Buffer): Buffer {
    const length = this.length + bytes.length;
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#memory.length));
      larger.set(this.#memory.subarray(0, this.length));
      this.#memory = larger;
    }
    this.#memory.set(bytes, this.length);
    this.length = length;
    return this.#memory.subarray(0, length);
  }
}
