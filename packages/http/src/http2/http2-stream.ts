import type { ExchangeListener } from "../transport/transport.ts";
import type { Http2ResponseHead } from "./response-fields.ts";
import type { BodyProgress } from "./stream-failure.ts";

/**
 * Bytes that a server may send on a stream before it must wait for us. Bodies are passed on as they arrive,
 * so a large window takes no memory. With a round trip of 100 ms, 1 MiB allows 80 Mbit/s; the default of 64
 * KiB allows only 5.
 */
export const streamWindowBytes: number = 1024 * 1024;

/** The same for all streams of a connection together. */
export const connectionWindowBytes: number = 16 * streamWindowBytes;

/** The body of a request while it is being sent. */
export interface RequestUpload {
  /** True once END_STREAM is written. */
  readonly hasEnded: boolean;
  /** Drops the rest of the body. */
  stop(): void;
}

/** One request on a connection, with the progress of its response. */
export class Http2Stream {
  readonly id: number;
  readonly listener: ExchangeListener;
  readonly #isHead: boolean;
  /** The number of reads on the connection before the request began. */
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

  /** The announced and received length of the body; null before the head. */
  get progress(): BodyProgress | null {
    return this.head === null ? null : { announced: this.head.contentLength, received: this.bodyBytes };
  }

  /** True once any response has begun, even an interim one: the server then processes the request. */
  get hasResponded(): boolean {
    return this.head !== null || this.interim > 0;
  }

  /** True if the response can have no body, even if it announces a length. */
  get isBodiless(): boolean {
    return this.#isHead || this.head?.status === 204 || this.head?.status === 304;
  }

  /** True if the body has its announced length. */
  get hasAnnouncedLength(): boolean {
    return this.head?.contentLength === this.bodyBytes;
  }
}

/** A flow-control window for received bodies, of one stream or of the whole connection. */
export class ReceiveWindow {
  readonly #bytes: number;
  #left: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  /** Counts received bytes. Returns false if there were more than allowed. */
  take(length: number): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }

  /** Returns the credit to give back to the server; 0 while it is not worth a frame. */
  regrant(): number {
    const taken = this.#bytes - this.#left;
    if (taken < this.#bytes / 2) return 0;
    this.#left = this.#bytes;
    return taken;
  }
}
