import { asError } from "@bearhug/plan/protocol/read-thrown";

import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import { HpackEncoder } from "../hpack/hpack-encoder.ts";
import { ConnectionMeter, type OpenConnection } from "../transport/open-connection.ts";
import type { ExchangeListener, Transport, WireBytes, WireRequest } from "../transport/transport.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import { errorCode, Http2Violation } from "./error-codes.ts";
import { FloodGuard } from "./flood-guard.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { defaultWindowBytes, goawayFrame } from "./frames.ts";
import { connectionWindowBytes, Http2Stream, streamWindowBytes } from "./http2-stream.ts";
import { Incoming } from "./incoming.ts";
import { LifeCheck, silenceMs } from "./life-check.ts";
import { PeerControl, type ControlOwner } from "./peer-control.ts";
import { requestFields } from "./request-fields.ts";
import { responseLimits } from "./response-fields.ts";
import { Responses, type ResponseOwner } from "./responses.ts";
import { SendFlow } from "./send-flow.ts";
import { clientPreface } from "./settings.ts";
import { closed, goneAway, leftUnanswered, violated, type Goaway } from "./stream-failure.ts";
import type { StreamTable } from "./stream-table.ts";
import type { TurnWrites } from "../transport/turn-writes.ts";
import { Upload, type UploadListener } from "./upload.ts";
import type { ClosingSockets } from "../net/closing-sockets.ts";
import type { BytesReceiver, SharedReader } from "../net/shared-reader.ts";

const ourPreface = clientPreface(streamWindowBytes, responseLimits.bytes);

/** Stream ids are odd, have 31 bits, and are never reused. */
const maxStreams = 2 ** 30 - 1;

/** One HTTP/2 connection: a stream for each request. */
export class Http2Transport implements Transport, ControlOwner, ResponseOwner, UploadListener, BytesReceiver {
  readonly protocol = "HTTP/2";
  readonly isMultiplexed = true;
  readonly #connection: Http2Connection;
  readonly #meter: ConnectionMeter;
  readonly #writer: FrameWriter;
  readonly #reader: FrameReader;
  readonly #incoming: Incoming;
  readonly #control: PeerControl;
  readonly #responses: Responses;
  readonly #flow: SendFlow;
  readonly #encoder: HpackEncoder = new HpackEncoder();
  readonly #lifeCheck: LifeCheck;
  readonly #maxRequests: number;
  carried = 0;
  nextId = 1;
  /** The only request on the connection, while none of it has been written; otherwise null. */
  #unwritten: WireRequest | null = null;
  #unwrittenListener: ExchangeListener | null = null;
  /** One request may be sent before SETTINGS states how many the server allows (RFC 9113, section 3.4). */
  #allowed = 1;
  #reads = 0;
  #isReading = false;
  /** When the current bytes were read; NaN until the time is needed. */
  #readAt = Number.NaN;
  /** True once it takes no more requests. */
  #isGone = false;
  /** True once it is closed. */
  #isOver = false;
  /** The listener whose stream has just ended. It may cancel again during its callback. */
  #ended: ExchangeListener | null = null;

  constructor(connection: Http2Connection) {
    const { socket, clock, wire, observer, writes } = connection;
    writes.opened();
    this.#connection = connection;
    this.#meter = new ConnectionMeter(connection);
    this.#maxRequests = Math.min(connection.maxRequests, maxStreams);
    this.#writer = new FrameWriter(socket, clock);
    this.#flow = new SendFlow(this.#writer);
    const floods = new FloodGuard(() => this.readAtMs);
    this.#responses = new Responses({ owner: this, writer: this.#writer, floods });
    this.#control = new PeerControl({
      owner: this,
      responses: this.#responses,
      writer: this.#writer,
      flow: this.#flow,
      encoder: this.#encoder,
    });
    this.#incoming = new Incoming(this.#responses, this.#control, floods);
    this.#reader = new FrameReader(this.#incoming);
    this.#lifeCheck = new LifeCheck({
      ping: (onReply) => {
        this.#control.ping(onReply);
        return !this.#isOver;
      },
      wire,
      clock,
      onAlive: () => {
        if (this.room > 0) observer.onRoom(this);
      },
      onSilent: () => {
        this.#leave();
        if (this.isIdle) this.close();
      },
      onDead: () => {
        const reason = `a PING got no reply within ${silenceMs} ms`;
        this.#closeWith(new TransportFailure({ kind: "silent", reason }));
      },
    });
    this.#begin();
  }

  get origin(): Origin {
    return this.#connection.origin;
  }

  get peer(): Peer {
    return this.#connection.peer;
  }

  get room(): number {
    if (this.#isGone) return 0;
    const waiting = this.#unwritten === null ? 0 : 1;
    const atOnce = Math.min(this.#connection.maxConcurrentStreams, this.#allowed) - this.#streams().size;
    return Math.max(0, Math.min(atOnce, this.#maxRequests - this.carried) - waiting);
  }

  get isSuspect(): boolean {
    return this.#lifeCheck.isPending;
  }

  get isIdle(): boolean {
    return this.#streams().size === 0 && this.#unwritten === null;
  }

  get readAtMs(): number {
    if (Number.isNaN(this.#readAt)) this.#readAt = this.#connection.clock.now();
    return this.#readAt;
  }

  send(request: WireRequest, listener: ExchangeListener): void {
    if (this.isIdle && !this.#isGone) {
      this.#unwritten = request;
      this.#unwrittenListener = listener;
      this.#connection.writes.add(this);
    } else {
      this.writeNow(null);
      this.#start(request, listener);
      this.#flush();
    }
  }

  writeNow(_atMs: number | null): null {
    const request = this.#unwritten;
    const listener = this.#takeUnwritten();
    // The request may have been cancelled, or the connection may be gone.
    if (request === null || listener === null) return null;
    this.#start(request, listener);
    this.#flush();
    return null;
  }

  #takeUnwritten(): ExchangeListener | null {
    const listener = this.#unwrittenListener;
    this.#unwritten = null;
    this.#unwrittenListener = null;
    return listener;
  }

  #start(request: WireRequest, listener: ExchangeListener): void {
    const fields = this.#fieldsFor(request, listener);
    if (fields === null) return;
    const stream = new Http2Stream(this.nextId, listener, {
      isHead: request.method === "HEAD",
      reads: this.#reads,
      sendWindow: this.#control.initialWindowBytes,
    });
    this.nextId += 2;
    this.carried++;
    this.#ended = null;
    this.#streams().add(stream);
    const { body } = request;
    const isLast = body === null || body.length === 0;
    this.#writer.headers(this.#encoder, stream.id, fields, {
      isLast,
      maxFrameBytes: this.#flow.maxFrameBytes,
    });
    listener.onStart();
    if (this.carried >= this.#maxRequests) this.#leave();
    if (stream.isOver) return;
    if (isLast) this.onSent(stream);
    else {
      const upload = new Upload(stream, this.#flow, this);
      stream.upload = upload;
      upload.begin(body, this.#connection.clock);
    }
  }

  cancel(listener: ExchangeListener, hasTimedOut: boolean): void {
    if (listener === this.#unwrittenListener) {
      this.#takeUnwritten();
      return;
    }
    const stream = listener === this.#ended ? null : this.#streamOf(listener);
    if (stream === null) return;
    // No bytes arrived since the request began: check the connection before it gets another request.
    if (hasTimedOut && this.#reads === stream.readsBefore) this.#lifeCheck.begin();
    this.#responses.reset(stream, errorCode.cancel);
    this.#flush();
  }

  pause(listener: ExchangeListener): void {
    const stream = this.#streamOf(listener);
    if (stream !== null) stream.isPaused = true;
  }

  resume(listener: ExchangeListener): void {
    const stream = this.#streamOf(listener);
    if (stream === null) return;
    stream.isPaused = false;
    this.#responses.regrant(stream);
    this.#flush();
  }

  takeBytes(): WireBytes {
    return this.#meter.takeBytes();
  }

  takeOpeningPhases(): ConnectPhases | null {
    return this.#meter.takeOpeningPhases();
  }

  retire(): void {
    this.#leave();
    if (this.isIdle) this.#closeInOrder();
  }

  close(): void {
    if (this.#isOver) return;
    const unwritten = this.#takeUnwritten();
    this.#writer.end(goawayFrame(errorCode.noError));
    this.#closeWith(null);
    unwritten?.onFailure(closed(true));
  }

  onAllowed(streams: number): void {
    const before = this.room;
    this.#allowed = streams;
    if (this.room > before) this.#connection.observer.onRoom(this);
  }

  onGoaway(goaway: Goaway): void {
    this.#leave();
    const isError = goaway.code !== errorCode.noError;
    for (const stream of this.#streams().all()) {
      const isUnprocessed = stream.id > goaway.lastStreamId;
      if (isError || isUnprocessed)
        this.#responses.fail(stream, goneAway(goaway, isUnprocessed && !stream.hasResponded));
    }
    if (isError) this.close();
    else if (this.isIdle) this.#closeInOrder();
  }

  onSent(stream: Http2Stream): void {
    const isWritten = stream.upload === null || stream.upload.hasEnded;
    if (stream.isSent || stream.isOver || !isWritten) return;
    stream.isSent = true;
    stream.listener.onSent(this.#connection.clock.now());
  }

  onOver(stream: Http2Stream): void {
    this.#ended = stream.listener;
    if (this.room > 0) this.#connection.observer.onRoom(this);
    else if (this.#isGone && this.isIdle) this.#closeInOrder();
  }

  onUploadFailed(stream: Http2Stream, failure: TransportFailure): void {
    this.#responses.refuse(stream, failure, errorCode.cancel);
    this.#flush();
  }

  #streams(): StreamTable<Http2Stream> {
    return this.#responses.streams;
  }

  #begin(): void {
    const { socket, reader } = this.#connection;
    this.#writer.add(ourPreface);
    this.#writer.windowUpdate(0, connectionWindowBytes - defaultWindowBytes);
    // The first request is written together with it, if there is one.
    this.#writer.flushLater();
    // A socket that comes out of a proxy tunnel is paused.
    if (reader === null) socket.on("data", this.onBytes.bind(this)).resume();
    else reader.receiver = this;
    socket.on("end", () => {
      this.#closeWith(null);
    });
    socket.on("error", (error: Error) => {
      this.#closeWith(error);
    });
    socket.on("close", () => {
      this.#closeWith(null);
    });
  }

  onBytes(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#reads++;
    this.#readAt = Number.NaN;
    this.#isReading = true;
    try {
      this.#reader.feed(bytes);
      this.#responses.regrantConnection();
    } catch (error) {
      this.#refuse(error);
    } finally {
      this.#isReading = false;
      this.#ended = null;
    }
    this.#flush();
  }

  /** Closes the connection because the server violated the protocol. */
  #refuse(error: unknown): void {
    if (!(error instanceof Http2Violation)) throw error;
    this.#writer.end(goawayFrame(error.code));
    this.#closeWith(violated(error, this.#incoming.hasBegun));
  }

  #fieldsFor(request: WireRequest, listener: ExchangeListener): readonly string[] | null {
    if (this.#isGone) {
      const { goaway } = this.#control;
      listener.onFailure(goaway === null ? closed(true) : goneAway(goaway, true));
      return null;
    }
    try {
      return requestFields(request);
    } catch (error) {
      listener.onFailure(asError(error));
      return null;
    }
  }

  /** Writes the gathered frames; with other requests of this turn if several share the connection. */
  #flush(): void {
    if (this.#isReading || this.#writer.isEmpty) return;
    if (this.#streams().size > 1) this.#writer.flushLater();
    else this.#writer.flush();
  }

  #streamOf(listener: ExchangeListener): Http2Stream | null {
    return this.#streams().find((stream) => stream.listener === listener);
  }

  /** Sends GOAWAY, after which most servers close the connection. */
  #closeInOrder(): void {
    if (this.#isOver) return;
    const { closing, socket, raw } = this.#connection;
    this.#writer.flush();
    this.#writer.end(goawayFrame(errorCode.noError));
    this.#end();
    closing.add(socket, raw);
  }

  /** Closes at once. Requests fail with `error`; null if the connection was just closed. */
  #closeWith(error: Error | null): void {
    if (this.#isOver) return;
    this.#end();
    for (const stream of this.#streams().all()) this.#responses.fail(stream, this.#whyFailed(stream, error));
    const { socket, raw } = this.#connection;
    socket.destroy();
    raw.destroy();
  }

  #end(): void {
    this.#isOver = true;
    this.#lifeCheck.stop();
    this.#reader.stop();
    this.#writer.stop();
    this.#leave();
  }

  #whyFailed({ id, hasResponded }: Http2Stream, error: Error | null): Error {
    if (id > this.#writer.writtenId) return closed(true);
    const { goaway } = this.#control;
    // Not a stale connection: the server has the request, so a retry could make it process the request twice.
    if (goaway !== null && !hasResponded && !(error instanceof TransportFailure))
      return leftUnanswered(goaway);
    return error ?? closed(false);
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { observer, writes } = this.#connection;
    const unwritten = this.#takeUnwritten();
    writes.closed();
    observer.onGone(this);
    unwritten?.onUnsent();
  }
}

/** A connection for HTTP/2: TLS negotiated `h2`, or the server is known to speak it. */
export interface Http2Connection extends OpenConnection {
  readonly writes: TurnWrites;
  /** The most streams at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** Receives the connection when it has carried its last request. */
  readonly closing: ClosingSockets;
  /** Receives the socket's bytes in memory that all connections share; null if the socket has its own. */
  readonly reader: SharedReader | null;
}
