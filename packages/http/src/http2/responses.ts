import type { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, Http2Violation } from "./error-codes.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { rstStreamFrame } from "./frames.ts";
import { connectionWindowBytes, type Http2Stream, ReceiveWindow } from "./http2-stream.ts";
import type { StreamEvents } from "./incoming.ts";
import type { Http2ResponseHead, ReceivedFields } from "./response-fields.ts";
import {
  headersTooLarge,
  invalidResponse,
  maxInterim,
  peerReset,
  tooManyInterim,
  wrongLength,
} from "./stream-failure.ts";
import { StreamTable } from "./stream-table.ts";

/** The connection, as its streams use it. */
export interface ResponseOwner {
  /** When the current bytes were read. */
  readonly readAtMs: number;
  /** The stream id of the next request. */
  readonly nextId: number;
  /** A response begins: the request, if all of it is written, has been sent. */
  onSent(stream: Http2Stream): void;
  /** The stream has been removed. */
  onOver(stream: Http2Stream): void;
}

/** The parts of a connection that its streams use. */
export interface ResponseDependencies {
  readonly owner: ResponseOwner;
  readonly writer: FrameWriter;
  readonly floods: FloodGuard;
}

/** The open streams of a connection, and the responses on them. */
export class Responses implements StreamEvents {
  readonly streams: StreamTable<Http2Stream> = new StreamTable();
  readonly #owner: ResponseOwner;
  readonly #writer: FrameWriter;
  readonly #floods: FloodGuard;
  readonly #resets: ResetStreams = new ResetStreams();
  readonly #window: ReceiveWindow = new ReceiveWindow(connectionWindowBytes);
  /** The stream that the current data is for; null for a stream that was reset. */
  #receiver: Http2Stream | null = null;
  #isLastData = false;

  constructor({ owner, writer, floods }: ResponseDependencies) {
    this.#owner = owner;
    this.#writer = writer;
    this.#floods = floods;
  }

  onFields(streamId: number, fields: ReceivedFields, endsStream: boolean): void {
    const stream = this.#receiverOf("HEADERS", streamId, endsStream);
    if (stream === null) return;
    switch (fields.kind) {
      case "head":
        this.#onHead(stream, fields.head, endsStream);
        break;
      case "trailers":
        if (stream.head === null) this.refuse(stream, invalidResponse("a head without :status"));
        else if (endsStream) this.#endWithTrailers(stream, fields.fields);
        else this.refuse(stream, invalidResponse("trailers that do not end the stream"));
        break;
      case "tooLarge":
        this.refuse(stream, headersTooLarge(), errorCode.enhanceYourCalm);
        break;
      case "invalid":
        this.refuse(stream, invalidResponse(fields.reason));
        break;
    }
  }

  onDataFrame(streamId: number, length: number, endsStream: boolean): void {
    this.#isLastData = endsStream;
    const stream = (this.#receiver = this.#receiverOf("DATA", streamId, endsStream));
    if (!this.#window.take(length)) {
      throw new Http2Violation(errorCode.flowControlError, "more data than the connection's window allows");
    }
    if (stream === null) return;
    if (!stream.window.take(length)) {
      const code = errorCode.flowControlError;
      this.refuse(stream, invalidResponse("more data than its window allows", code), code);
    } else if (stream.head === null) this.refuse(stream, invalidResponse("data before a head"));
  }

  onData(bytes: Buffer): void {
    const stream = this.#receiver;
    if (stream === null || stream.isOver) return;
    stream.bodyBytes += bytes.length;
    if (stream.isBodiless) {
      this.refuse(stream, invalidResponse("a body where there is none by definition"));
      return;
    }
    const announced = stream.head?.contentLength ?? null;
    if (announced !== null && stream.bodyBytes > announced) {
      this.refuse(stream, wrongLength({ announced, received: stream.bodyBytes }));
      return;
    }
    stream.listener.onBody(bytes);
  }

  onDataEnd(): void {
    const stream = this.#receiver;
    this.#receiver = null;
    if (stream === null || stream.isOver) return;
    if (this.#isLastData) this.#end(stream);
    else this.regrant(stream);
  }

  onReset(streamId: number, code: number): void {
    const stream = this.find("RST_STREAM", streamId);
    this.#resets.delete(streamId);
    if (stream === null) this.#floods.count("RST_STREAM");
    // A body of its announced length is complete. Servers of node:http2 end responses in this way.
    else if (code === errorCode.noError && stream.hasAnnouncedLength) this.#complete(stream);
    else this.fail(stream, peerReset(code, stream.progress, stream.hasResponded));
  }

  /** Returns the connection's flow-control credit for the bytes consumed on all streams. */
  regrantConnection(): void {
    const bytes = this.#window.regrant();
    if (bytes > 0) this.#writer.windowUpdate(0, bytes);
  }

  /** Returns flow-control credit for the bytes consumed, unless the stream is paused. */
  regrant(stream: Http2Stream): void {
    if (stream.isPaused) return;
    const bytes = stream.window.regrant();
    if (bytes > 0) this.#writer.windowUpdate(stream.id, bytes);
  }

  /** Resets a stream that the server has not ended, without notifying its listener. */
  reset(stream: Http2Stream, code: number): void {
    this.#resets.add(stream.id);
    this.#writer.add(rstStreamFrame(stream.id, code));
    this.#remove(stream);
  }

  /** Resets a stream because of a fault, and notifies its listener. */
  refuse(stream: Http2Stream, failure: TransportFailure, code: number = errorCode.protocolError): void {
    if (stream.isOver) return;
    this.reset(stream, code);
    stream.listener.onFailure(failure);
  }

  fail(stream: Http2Stream, failure: Error): void {
    if (stream.isOver) return;
    this.#remove(stream);
    stream.listener.onFailure(failure);
  }

  /** Returns null for a stream that is over. @throws {Http2Violation} for one that was never opened */
  find(type: string, streamId: number): Http2Stream | null {
    const stream = this.streams.get(streamId);
    if (stream === null && (streamId % 2 === 0 || streamId >= this.#owner.nextId)) {
      throw new Http2Violation(errorCode.protocolError, `${type} on a stream that nobody opened`);
    }
    return stream;
  }

  #onHead(stream: Http2Stream, head: Http2ResponseHead, endsStream: boolean): void {
    if (stream.head !== null) this.refuse(stream, invalidResponse("a second head"));
    else if (head.status === 101) this.refuse(stream, invalidResponse("status 101"));
    else if (head.status >= 200) this.#begin(stream, head, endsStream);
    else if (endsStream) this.refuse(stream, invalidResponse("an interim head that ends the stream"));
    else {
      stream.interim++;
      stream.listener.onInterim(head);
      if (stream.interim > maxInterim) this.refuse(stream, tooManyInterim(), errorCode.cancel);
    }
  }

  #begin(stream: Http2Stream, head: Http2ResponseHead, endsStream: boolean): void {
    this.#floods.reset();
    const { listener } = stream;
    if (!stream.isSent) this.#owner.onSent(stream);
    listener.onFirstByte(this.#owner.readAtMs);
    if (stream.isOver) return;
    stream.head = head;
    listener.onHead(head);
    if (endsStream) this.#end(stream);
  }

  #endWithTrailers(stream: Http2Stream, fields: readonly string[]): void {
    stream.listener.onTrailers?.(fields);
    this.#end(stream);
  }

  /** Handles the end of a stream by the server. */
  #end(stream: Http2Stream): void {
    if (stream.isOver) return;
    const announced = stream.head?.contentLength ?? null;
    if (announced !== null && announced !== stream.bodyBytes && !stream.isBodiless) {
      this.refuse(stream, wrongLength({ announced, received: stream.bodyBytes }));
      return;
    }
    this.#complete(stream);
  }

  #complete(stream: Http2Stream): void {
    const isBodyUnsent = stream.upload !== null && !stream.upload.hasEnded;
    // The server will not read the rest of the request.
    if (isBodyUnsent) this.#writer.add(rstStreamFrame(stream.id, errorCode.noError));
    this.#remove(stream);
    stream.listener.onEnd(isBodyUnsent);
  }

  #remove(stream: Http2Stream): void {
    stream.isOver = true;
    stream.upload?.stop();
    this.streams.delete(stream.id);
    this.#owner.onOver(stream);
  }

  /** Returns the stream that a frame is for; null for one that we have reset. @throws {Http2Violation} */
  #receiverOf(type: string, streamId: number, endsStream: boolean): Http2Stream | null {
    const stream = this.find(type, streamId);
    if (stream !== null) return stream;
    if (!this.#resets.has(streamId)) {
      throw new Http2Violation(errorCode.streamClosed, `${type} on a stream that had ended`);
    }
    if (endsStream) this.#resets.delete(streamId);
    return null;
  }
}

/** If more streams than these were reset, the oldest are no longer tracked individually. */
const maxKept = 1000;

/** The streams that we reset: the server may send frames for them until it knows (RFC 9113, section 5.1). */
class ResetStreams {
  readonly #ids = new Set<number>();
  /** Frames are accepted for all streams up to this id. */
  #forgottenUpTo = 0;

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= maxKept) return;
    const [oldest = 0] = this.#ids;
    this.#ids.delete(oldest);
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
  }

  /** Called when the server has ended the stream, too. */
  delete(id: number): void {
    this.#ids.delete(id);
  }

  has(id: number): boolean {
    return id <= this.#forgottenUpTo || this.#ids.has(id);
  }
}
