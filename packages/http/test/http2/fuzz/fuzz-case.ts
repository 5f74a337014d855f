import { eachOpeningPhase } from "@bearhug/sdk/internal";

import { TransportFailure } from "../../../src/failures/transport-failure.ts";
import { Http2Transport } from "../../../src/http2/http2-transport.ts";
import { TurnWrites } from "../../../src/transport/turn-writes.ts";
import { ClosingSockets } from "../../../src/net/closing-sockets.ts";
import { preface, splitFrames } from "../raw-frames.ts";
import { FuzzClock } from "./fuzz-clock.ts";
import { MemorySocket } from "./memory-socket.ts";
import { mutate } from "./mutate.ts";
import { Random } from "./random.ts";
import { ReferenceReader } from "./reference-reader.ts";
import { ServerSession } from "./server-session.ts";
import { WatchedExchange, type Reactions } from "./watched-exchange.ts";

/** The outcomes of a case's requests. */
export interface FuzzOutcome {
  readonly isMutated: boolean;
  readonly ended: number;
  readonly failed: number;
  readonly cancelled: number;
}

const origin = { isSecure: false, host: "fuzz", port: 80, text: "http://fuzz", pool: "http://fuzz" };

/**
 * Runs a connection to a random server, whose responses may be mutated and are cut anywhere. The same seed
 * gives the same case.
 * @throws if the transport throws, sends an exchange an event that is not allowed, never ends it, or gives it
 * anything that was not sent for its stream
 */
export function runFuzzCase(seed: number): FuzzOutcome {
  return new FuzzCase(new Random(seed)).run();
}

class FuzzCase {
  readonly #random: Random;
  readonly #clock: FuzzClock = new FuzzClock();
  readonly #socket: MemorySocket = new MemorySocket();
  readonly #transport: Http2Transport;
  readonly #exchanges: WatchedExchange[] = [];
  readonly #received: Buffer[] = [];
  #gone = 0;

  constructor(random: Random) {
    this.#random = random;
    const socket = this.#socket;
    this.#transport = new Http2Transport({
      origin,
      socket,
      raw: socket,
      wire: { bytesRead: 0, bytesWritten: 0 },
      phases: eachOpeningPhase(() => 0),
      peer: { remoteAddress: "fuzz", remotePort: 80, tls: null },
      clock: this.#clock,
      maxConcurrentStreams: 100,
      maxRequests: random.chance(0.1) ? 2 : Number.POSITIVE_INFINITY,
      closing: new ClosingSockets(this.#clock),
      writes: new TurnWrites(this.#clock),
      reader: socket.reader,
      observer: { onGone: () => this.#gone++, onUnrequestedBytes: () => undefined, onRoom: () => undefined },
    });
  }

  run(): FuzzOutcome {
    const random = this.#random;
    const isMutated = random.chance(0.8);
    const session = new ServerSession(random);
    for (let rounds = 1 + random.below(2), round = 0; round < rounds; round++) {
      const sent = Array.from({ length: 1 + random.below(3) }, () => this.#send()).filter(
        (exchange) => !exchange.isOver,
      );
      for (const exchange of sent) exchange.isAnswered = true;
      let frames = [...(round === 0 ? session.greeting() : []), ...session.responses(sent)];
      if (isMutated && (round === rounds - 1 || random.chance(0.5))) {
        for (let times = 1 + random.below(3); times > 0; times--) frames = mutate(frames, random);
      }
      this.#deliver(Buffer.concat(frames));
    }
    this.#finish();
    this.#check(isMutated);
    const count = (state: string): number =>
      this.#exchanges.filter((exchange) => exchange.state === state).length;
    return { isMutated, ended: count("ended"), failed: count("failed"), cancelled: count("cancelled") };
  }

  #send(): WatchedExchange {
    const random = this.#random;
    const streamId = this.#transport.carried * 2 + 1;
    const token = `t${random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0")}`;
    const exchange: WatchedExchange = new WatchedExchange(
      streamId,
      token,
      this.#reactionsOf(() => exchange),
    );
    this.#exchanges.push(exchange);
    const longest = random.chance(0.1) ? 60_000 : 1000;
    const body = random.chance(0.3) ? Buffer.alloc(random.below(longest), "b") : null;
    const method = body === null ? "GET" : "POST";
    const headers = random.chance(0.5) ? ["x-a", token] : [];
    this.#transport.send({ method, origin, path: `/${token}`, headers, body, isConstant: false }, exchange);
    return exchange;
  }

  #reactionsOf(exchange: () => WatchedExchange): Reactions {
    const random = this.#random;
    const cancel = (): void => {
      this.#cancel(exchange());
    };
    const another = (): void => {
      this.#send();
    };
    return {
      ...(random.chance(0.02) ? { onHead: cancel } : {}),
      ...(random.chance(0.02) ? { onBody: cancel } : {}),
      ...(random.chance(0.05) ? { onOver: another } : {}),
    };
  }

  #cancel(exchange: WatchedExchange): void {
    if (exchange.isOver) return;
    exchange.state = "cancelled";
    this.#transport.cancel(exchange, this.#random.chance(0.5));
  }

  /** Feeds a server's bytes in pieces of any size, with turns of the event loop between some of them. */
  #deliver(bytes: Buffer): void {
    const random = this.#random;
    this.#received.push(bytes);
    const longest = random.pick([1, 3, 12, 40, 100, 300, 1000, 20_000]);
    for (let at = 0; at < bytes.length;) {
      const length = 1 + random.below(longest);
      this.#socket.feed(bytes.subarray(at, at + length));
      at += length;
      if (random.chance(0.3)) this.#turn();
      if (random.chance(0.01)) this.#disturb();
    }
    this.#turn();
  }

  #turn(): void {
    this.#clock.runTurns();
    this.#socket.confirm();
  }

  #disturb(): void {
    const random = this.#random;
    const exchange = this.#exchanges[random.below(this.#exchanges.length)];
    if (exchange === undefined || exchange.isOver) return;
    if (random.chance(0.5)) this.#cancel(exchange);
    else {
      this.#transport.pause(exchange);
      this.#transport.resume(exchange);
    }
  }

  /** Ends the connection in one of several ways, and with it all open requests. */
  #finish(): void {
    switch (this.#random.below(4)) {
      case 0:
        this.#socket.emit("end");
        break;
      case 1:
        this.#socket.emit("error", new Error("reset"));
        break;
      case 2:
        this.#transport.close();
        break;
      default:
        this.#socket.destroy();
    }
    this.#turn();
  }

  #check(isMutated: boolean): void {
    const reference = new ReferenceReader(Buffer.concat(this.#received));
    for (const exchange of this.#exchanges) {
      if (!exchange.isOver) throw new Error(`stream ${exchange.streamId} never ended: ${exchange.state}`);
      checkReceived(exchange, reference);
      if (!isMutated) checkComplete(exchange, this.#exchanges);
    }
    if (!this.#transport.isIdle || this.#transport.room > 0)
      throw new Error("a closed connection takes requests");
    if (this.#gone !== 1) throw new Error(`reported as gone ${this.#gone} times`);
    checkWritten(Buffer.concat(this.#socket.written), reference);
  }
}

/** Throws if an exchange received anything that was not sent for its stream. */
function checkReceived(exchange: WatchedExchange, reference: ReferenceReader): void {
  const { streamId, head, body, state, error } = exchange;
  if (state === "failed" && !(error instanceof TransportFailure) && error?.message !== "reset") {
    throw new Error(`stream ${streamId} failed in an unknown way`, { cause: error });
  }
  const { lists, data } = reference.stream(streamId);
  if (head !== null) {
    const text = JSON.stringify([":status", String(head.status), ...head.rawHeaders()]);
    if (!lists.some((list) => JSON.stringify(list) === text)) {
      throw new Error(`stream ${streamId} was given a head that it never had: ${text}`);
    }
  }
  const isOwn = state === "ended" ? data === body : data.startsWith(body);
  if (!isOwn)
    throw new Error(`stream ${streamId} was given ${JSON.stringify(body)} of ${JSON.stringify(data)}`);
}

/** Throws if an exchange with a correct server has not received exactly its response. */
function checkComplete(exchange: WatchedExchange, all: readonly WatchedExchange[]): void {
  const { isAnswered, state, streamId, token, head, body } = exchange;
  if (!isAnswered || state === "cancelled") return;
  if (state === "failed" || head === null) {
    throw new Error(`stream ${streamId} failed without a reason`, { cause: exchange.error });
  }
  const others = all.filter((other) => other !== exchange && body.includes(other.token));
  const named = head.rawHeaders().indexOf("x-token");
  const isNamed = named < 0 || head.rawHeaders()[named + 1] === token;
  if (others.length > 0 || head.status !== 200 || !isNamed) {
    throw new Error(`stream ${streamId} was given another's response`);
  }
}

/** Throws if the written bytes are not HTTP/2, or exceed the widest windows that the server ever gave. */
function checkWritten(bytes: Buffer, { windows }: ReferenceReader): void {
  if (bytes.length === 0) return;
  if (!bytes.subarray(0, preface.length).equals(preface)) throw new Error("no preface");
  const { frames, rest } = splitFrames(bytes.subarray(preface.length));
  if (rest.length > 0) throw new Error("half a frame was written");
  let total = 0;
  const sent = new Map<number, number>();
  for (const { type, streamId, payload } of frames) {
    if (type !== "DATA") continue;
    total += payload.length;
    sent.set(streamId, (sent.get(streamId) ?? 0) + payload.length);
  }
  if (total > windows.connection) throw new Error("more was sent than the connection's window allows");
  for (const [streamId, length] of sent) {
    const window = windows.initial + (windows.streams.get(streamId) ?? 0);
    if (length > window) throw new Error(`more was sent on stream ${streamId} than its window allows`);
  }
}
