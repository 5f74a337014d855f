import type { ClosingSockets } from "../net/closing-sockets.ts";
import { ConnectionMeter, type OpenConnection } from "../transport/open-connection.ts";
import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import { isTlsSocket } from "../net/wire-counters.ts";
import type {
  ExchangeListener,
  ResponseHead,
  Transport,
  WireBytes,
  WireRequest,
} from "../transport/transport.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import type { BytesReceiver, SharedReader } from "../net/shared-reader.ts";
import { inPieces, isLarge, type StreamedBody } from "../transport/wire-body.ts";
import type { TurnWrites } from "../transport/turn-writes.ts";
import { KnownHead } from "./response-head.ts";
import { writeBody } from "./body-writer.ts";
import { formatRequestHead, type HeadOptions, type RequestHead } from "./request-head.ts";
import { ResponseParser, type ResponseEvents } from "./response-parser.ts";

/** An open connection with the parts that HTTP/1.1 needs. */
export interface Http1Connection extends OpenConnection {
  readonly proxy: HeadOptions["proxy"];
  /** Receives the connection when both sides know that it has carried its last request. */
  readonly closing: ClosingSockets;
  readonly writes: TurnWrites;
  /** When a response last began on any connection of the network, by the clock. */
  readonly lastRead: { atMs: number };
  /** Receives the socket's bytes in memory that all connections share; null if the socket has its own. */
  readonly reader: SharedReader | null;
}

/**
 * Safety margin before the idle time that the server promises, because it may close a little early. Half the
 * idle time if that is shorter.
 */
const idleMarginMs = 1000;

/** The cached heads of a constant request, shared by all persistent connections of a worker. */
interface ConstantRequest {
  readonly head: RequestHead;
  /** The head for TLS, which would copy a text into new memory for each write. */
  readonly bytes: Buffer;
  readonly responseHead: KnownHead;
}

const constants = new WeakMap<WireRequest, ConstantRequest>();

/** One HTTP/1.1 connection: a request, its response, then the next. */
export class Http1Transport implements Transport, ResponseEvents, BytesReceiver {
  readonly protocol = "HTTP/1.1";
  readonly isMultiplexed = false;
  readonly isSuspect = false;
  readonly #connection: Http1Connection;
  // Copies of parts of the connection: each request reads them, and with many connections, any other object would
  // have to be fetched from memory.
  readonly #socket: Http1Connection["socket"];
  readonly #clock: Http1Connection["clock"];
  readonly #lastRead: Http1Connection["lastRead"];
  readonly #writes: TurnWrites;
  /** True if its heads are for a forwarding proxy: those of constant requests are for none. */
  readonly #isForwarded: boolean;
  readonly #maxRequests: number;
  readonly #parser: ResponseParser;
  /** The last response head to a request that was not constant. */
  readonly #lastHead: KnownHead = new KnownHead();
  carried = 0;
  #listener: ExchangeListener | null = null;
  /** The current request while none of it has been written; otherwise null. */
  #unwritten: WireRequest | null = null;
  readonly #meter: ConnectionMeter;
  readonly #isTls: boolean;
  #isGone = false;
  /** The name of the last request on it. */
  #lastName = "";
  #hasResponseBegun = false;
  /** When a head's first bytes arrived, while too few to recognize an interim response; otherwise NaN. */
  #undecidedSince: number = Number.NaN;
  /** When bytes were last read, by the clock. */
  #readAt: number = Number.NaN;
  #isBodyUnsent = false;
  /** The current or last request announced the close of the connection. */
  #isLast = false;
  #isPaused = false;
  #isRetired = false;
  /** The server's last `Keep-Alive` promise, in ms. */
  #idleMs = Number.POSITIVE_INFINITY;
  #idleUntilMs = Number.POSITIVE_INFINITY;

  constructor(connection: Http1Connection) {
    this.#connection = connection;
    this.#socket = connection.socket;
    this.#clock = connection.clock;
    this.#lastRead = connection.lastRead;
    this.#writes = connection.writes;
    this.#isForwarded = connection.proxy !== null;
    this.#maxRequests = connection.maxRequests;
    this.#meter = new ConnectionMeter(connection);
    this.#isTls = isTlsSocket(connection.socket);
    this.#parser = new ResponseParser(this);
    const { socket, reader, writes } = connection;
    writes.opened();
    // A socket that comes out of a proxy tunnel is paused.
    if (reader === null) socket.on("data", this.onBytes.bind(this)).resume();
    else reader.receiver = this;
    socket.on("end", () => {
      this.#ended();
    });
    socket.on("error", (error: Error) => {
      this.#fail(error);
    });
    socket.on("close", () => {
      this.#ended();
    });
  }

  get origin(): Origin {
    return this.#connection.origin;
  }

  get peer(): Peer {
    return this.#connection.peer;
  }

  get room(): number {
    if (this.#isGone || this.#listener !== null) return 0;
    if (this.#idleUntilMs === Number.POSITIVE_INFINITY) return 1;
    return this.#clock.now() < this.#idleUntilMs ? 1 : 0;
  }

  get isIdle(): boolean {
    return this.#listener === null;
  }

  send(request: WireRequest, listener: ExchangeListener): void {
    this.#listener = listener;
    this.#unwritten = request;
    this.carried++;
    this.#writes.add(this);
  }

  writeNow(atMs: number | null): number | null {
    const listener = this.#listener;
    const request = this.#unwritten;
    this.#unwritten = null;
    // The request may have been cancelled, or the connection may be gone.
    if (listener === null || request === null) return null;
    this.#hasResponseBegun = false;
    this.#undecidedSince = Number.NaN;
    const constant = this.#constant(request);
    const head = constant?.head ?? this.#headOf(request);
    const responseHead = constant?.responseHead ?? this.#lastHead;
    this.#parser.expect(request.method, responseHead);
    listener.onStart(atMs);
    if (this.#listener !== listener) return null;
    const socket = this.#socket;
    const { text, closes } = head;
    const { body } = request;
    this.#isLast = closes;
    if (body === null) {
      if (constant !== null && this.#isTls) socket.write(constant.bytes);
      else socket.write(text, "latin1");
    } else if (body instanceof Uint8Array && !isLarge(body)) {
      socket.cork();
      socket.write(text, "latin1");
      socket.write(body);
      socket.uncork();
    } else {
      this.#isBodyUnsent = true;
      socket.write(text, "latin1");
      void this.#sendBody(listener, body instanceof Uint8Array ? inPieces(body) : body);
      return null;
    }
    const sentMs = this.#clock.now();
    listener.onSent(sentMs);
    return sentMs;
  }

  cancel(listener: ExchangeListener): void {
    if (this.#listener !== listener) return;
    this.#listener = null;
    if (this.#unwritten === null) this.close();
    this.#unwritten = null;
  }

  pause(listener: ExchangeListener): void {
    if (this.#listener !== listener) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(listener: ExchangeListener): void {
    if (this.#listener === listener) this.#resumeReading();
  }

  #resumeReading(): void {
    this.#isPaused = false;
    this.#socket.resume();
  }

  takeBytes(): WireBytes {
    return this.#meter.takeBytes();
  }

  takeOpeningPhases(): ConnectPhases | null {
    return this.#meter.takeOpeningPhases();
  }

  retire(): void {
    if (this.#listener === null) this.#leave();
    else this.#isRetired = true;
  }

  close(): void {
    const listener = this.#listener;
    this.#leave();
    listener?.onFailure(new TransportFailure({ kind: "closed", reason: "the connection was closed" }));
  }

  onBytes(bytes: Buffer): void {
    const listener = this.#listener;
    if (listener === null || this.#unwritten !== null) {
      this.#rejectUnrequested(bytes.length);
      return;
    }
    // All bytes read together get the same time.
    this.#readAt = this.#clock.now();
    let taken: number;
    try {
      taken = this.#parser.feed(bytes);
    } catch (error) {
      // A malformed response counts as begun, even if it looked like an interim one.
      this.onBegin();
      this.#fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // The listener may have cancelled during one of its callbacks.
    if (this.#listener !== listener) return;
    if (this.#parser.isComplete) this.#complete(listener, bytes.length - taken, this.#readAt);
  }

  /** Closes the connection: unrequested bytes must not become the response to the next request. */
  #rejectUnrequested(bytes: number): void {
    if (this.#isGone) return;
    const listener = this.#listener;
    this.#leave();
    this.#connection.observer.onUnrequestedBytes(this, bytes, this.#lastName);
    listener?.onUnsent();
  }

  onFirstBytes(): void {
    this.#undecidedSince = this.#readAt;
  }

  onInterim(head: ResponseHead): void {
    this.#undecidedSince = Number.NaN;
    this.#listener?.onInterim(head);
  }

  onBegin(): void {
    if (this.#hasResponseBegun) return;
    this.#hasResponseBegun = true;
    this.#lastRead.atMs = this.#readAt;
    this.#listener?.onFirstByte(Number.isNaN(this.#undecidedSince) ? this.#readAt : this.#undecidedSince);
  }

  onHead(head: ResponseHead): void {
    this.#listener?.onHead(head);
  }

  onBody(chunk: Uint8Array): void {
    this.#listener?.onBody(chunk, this.#readAt);
  }

  onTrailers(fields: readonly string[]): void {
    this.#listener?.onTrailers?.(fields);
  }

  /** Returns null for a request that is not constant, or not on this connection. */
  #constant(request: WireRequest): ConstantRequest | null {
    if (!request.isConstant || this.#isForwarded || this.carried >= this.#maxRequests) return null;
    let constant = constants.get(request);
    if (constant === undefined) {
      const head = formatRequestHead(request, { proxy: null, isLast: false });
      constant = { head, bytes: Buffer.from(head.text, "latin1"), responseHead: new KnownHead() };
      constants.set(request, constant);
    }
    return constant;
  }

  #headOf(request: WireRequest): RequestHead {
    const { proxy } = this.#connection;
    return formatRequestHead(request, { proxy, isLast: this.carried >= this.#maxRequests });
  }

  async #sendBody(listener: ExchangeListener, body: StreamedBody): Promise<void> {
    const [socket, clock] = [this.#socket, this.#clock];
    const isGivenUp = (): boolean => this.#listener !== listener || socket.destroyed;
    const onSent = (): void => {
      this.#isBodyUnsent = false;
      listener.onSent(clock.now());
    };
    try {
      await writeBody(body, { socket, callsBackLate: this.#isTls, clock, isGivenUp, onSent });
    } catch (error) {
      if (this.#listener === listener) this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** `atMs`: when the last bytes were read; undefined if the close of the connection ended the response. */
  #complete(listener: ExchangeListener, surplus: number, atMs?: number): void {
    const head = this.#parser.head;
    const isBodyUnsent = this.#isBodyUnsent;
    // The end of the response was among the bytes read before the pause.
    if (this.#isPaused) this.#resumeReading();
    const isPersistent = surplus === 0 && !isBodyUnsent && !this.#isLast && head?.isKeptAlive === true;
    this.#listener = null;
    this.#lastName = listener.name;
    if (surplus > 0) listener.onSurplus(surplus);
    // After surplus bytes, an unsent body or an age limit, the server expects no close: it may wait for us.
    const isCloseAgreed =
      !isPersistent && surplus === 0 && !isBodyUnsent && head?.framing.kind !== "untilClose";
    if (isPersistent && !this.#isRetired) this.#becomeIdle(head.idleMs);
    else this.#leave(isCloseAgreed);
    listener.onEnd(isBodyUnsent, atMs);
  }

  /** Starts the idle time. A server that announced it once need not repeat it with each response. */
  #becomeIdle(idleMs: number | null): void {
    if (idleMs !== null) this.#idleMs = Math.max(idleMs - idleMarginMs, idleMs / 2);
    if (this.#idleMs !== Number.POSITIVE_INFINITY) this.#idleUntilMs = this.#clock.now() + this.#idleMs;
  }

  /** Handles the peer's close of the connection, which may be the end of the response. */
  #ended(): void {
    const listener = this.#listener;
    if (listener !== null && this.#unwritten === null && this.#hasResponseBegun && this.#parser.end()) {
      this.#complete(listener, 0);
      return;
    }
    this.#fail(new TransportFailure({ kind: "closed", reason: "the connection was closed" }));
  }

  #fail(error: Error): void {
    // The undecided bytes may have been the beginning of the response: no more will arrive.
    if (!Number.isNaN(this.#undecidedSince)) this.onBegin();
    const listener = this.#listener;
    const isUnsent = this.#unwritten !== null;
    this.#leave();
    if (isUnsent) listener?.onUnsent();
    else listener?.onFailure(error);
  }

  #leave(isCloseAgreed = false): void {
    this.#listener = null;
    this.#unwritten = null;
    if (this.#isGone) return;
    this.#isGone = true;
    const { socket, raw, closing, observer, writes } = this.#connection;
    writes.closed();
    if (isCloseAgreed) closing.add(socket, raw);
    else {
      socket.destroy();
      raw.destroy();
    }
    observer.onGone(this);
  }
}
