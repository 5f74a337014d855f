import type { ExchangeListener } from "../transport/transport.ts";
import type { Http2ResponseHead } from "./response-fields.ts";
import type { BodyProgress } from "./stream-failure.ts";

/**
 * Bytes that a server may send on a stream before it must wait for us. Nothing of it is kept: a body is handed on as it comes, so
 * a large window takes no memory, and on a path of 100 ms 1 MiB lets a response come at 80 Mbit/s where the default of
 * 64 KiB would hold it to 5.
 */
export const streamWindowBytes: number = 1024 * 1024;

/** The same, of all streams of a connection together. */
export const connectionWindowBytes: number = 16 * streamWindowBytes;

/** The body of a request, on its way. */
export interface RequestUpload {
  /** END_STREAM is written. */
  readonly hasEnded: boolean;
  /** Nobody wants the rest. */
  stop(): void;
}

/** One request on a connection, and how far its response has come. */
export class Http2Stream {
  readonly id: number;
  readonly listener: ExchangeListener;
  readonly #isHead: boolean;
  /** How often the connection had been read from when it began. */
  readonly readsBefore: number;
  /** Bytes of bodies that we may send. */
  sendWindow: number;
  upload: RequestUpload | null = null;
  isSent = false;
  head: Http2ResponseHead | null = null;
  interim = 0;
  bodyBytes = 0;
  /** Bytes of bodies that the server may send. */
  readonly window: ReceiveWindow = new ReceiveWindow(streamWindowBytes);
  isPaused = false;
  isOver = false;

  constructor(
    id: number,
    listener: ExchangeListener,
    begun: { readonly isHead: boolean; readonly reads: number; readonly sendWindow: number },
  ) {
    this.id = id;
    this.listener = listener;
    this.#isHead = begun.isHead;
    this.readsBefore = begun.reads;
    this.sendWindow = begun.sendWindow;
  }

  /** How much of the body came, and how much was announced; null while there is no head. */
  get progress(): BodyProgress | null {
    return this.head === null ? null : { announced: this.head.contentLength, received: this.bodyBytes };
  }

  /** True once any of a response has come: the server works on the request, whatever it says afterwards. */
  get hasResponded(): boolean {
    return this.head !== null || this.interim > 0;
  }

  /** True if no body may come, whatever its length is said to be. */
  get isBodiless(): boolean {
    return this.#isHead || this.head?.status === 204 || this.head?.status === 304;
  }

  /** True if all that was announced has come. */
  get hasAllThatWasAnnounced(): boolean {
    return this.head?.contentLength === this.bodyBytes;
  }
}

/** The bytes of bodies that the server may send before it must wait for us: on one stream, or on all together. */
export class ReceiveWindow {
  readonly #bytes: number;
  #left: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  /** Returns false if more came than was allowed. */
  take(length: number): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }

  /** Returns the bytes that the server may be allowed again; 0 while that is not worth a frame. */
  regrant(): number {
    const taken = this.#bytes - this.#left;
    if (taken < this.#bytes / 2) return 0;
    this.#left = this.#bytes;
    return taken;
  }
}
