import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { systemClock, type Clock } from "@bearhug/plan/pacing/clock";
import { eachOpeningPhase } from "@bearhug/sdk/internal";
import { onTestFinished } from "vitest";

import type {
  ExchangeListener,
  ResponseHead,
  Transport,
  WireRequest,
} from "../../src/transport/transport.ts";
import { TransportFailure, type TransportFailureInfo } from "../../src/failures/transport-failure.ts";
import { TurnWrites } from "../../src/transport/turn-writes.ts";
import { ClosingSockets } from "../../src/net/closing-sockets.ts";
import { type Http2Connection, Http2Transport } from "../../src/http2/http2-transport.ts";
import { NodeHttp2Transport } from "../node-http2/node-http2-transport.ts";
import { speakUndici } from "../../src/undici/create-undici-transport.ts";
import { shown } from "../../../cli/test/shown.ts";

export interface OpenedHttp2 {
  readonly transport: Transport;
  readonly raw: Socket;
  /** The events that the transport reported, each with its room at that time. */
  readonly reported: string[];
  readonly request: (changes?: Partial<WireRequest>) => WireRequest;
  /** Sends a request and records its events. */
  readonly send: (changes?: Partial<WireRequest>) => Recording;
}

/** The HTTP/2 client: the engine's, its predecessor on node:http2 (now the reference), or undici's. */
export type Speaker = "bearhug" | "node:http2" | "undici";

export interface OpenOptions {
  readonly isSecure?: boolean;
  readonly maxConcurrentStreams?: number;
  readonly maxRequests?: number;
  readonly clock?: Clock;
  /** @default those of a worker without other connections */
  readonly writes?: TurnWrites;
  /** The client. @default "bearhug" */
  readonly speaks?: Speaker;
}

/** Opens a connection to an HTTP/2 server on loopback; closed when the test has ended. */
export async function openHttp2(port: number, options: OpenOptions = {}): Promise<OpenedHttp2> {
  const { isSecure = false, maxConcurrentStreams = 100, clock = systemClock } = options;
  const { maxRequests = Number.POSITIVE_INFINITY } = options;
  const raw = connectTcp({ host: "127.0.0.1", port, noDelay: true });
  await once(raw, "connect");
  const socket = isSecure
    ? connectTls({ socket: raw, ALPNProtocols: ["h2"], rejectUnauthorized: false })
    : raw;
  if (isSecure) await once(socket, "secureConnect");
  const text = `${isSecure ? "https" : "http"}://127.0.0.1:${port}`;
  const origin = { isSecure, host: "127.0.0.1", port, text, pool: text };
  const reported: string[] = [];
  const closing = new ClosingSockets(systemClock);
  const connection = {
    origin,
    socket,
    raw,
    wire: raw,
    phases: { ...eachOpeningPhase(() => 0), connecting: 1, tlsHandshaking: 2 },
    peer: { remoteAddress: "127.0.0.1", remotePort: port, tls: null },
    clock,
    maxConcurrentStreams,
    maxRequests,
    closing,
    writes: options.writes ?? new TurnWrites(clock),
    reader: null,
    observer: {
      onGone: (gone: Transport) => reported.push(`gone ${gone.room}`),
      onUnrequestedBytes: () => reported.push("unrequested"),
      onRoom: (roomy: Transport) => reported.push(`room ${roomy.room}`),
    },
  };
  const transport = speak(connection, options.speaks ?? "bearhug");
  onTestFinished(() => {
    transport.close();
    closing.closeAll();
  });
  const request = (changes: Partial<WireRequest> = {}): WireRequest => ({
    method: "GET",
    origin,
    path: "/",
    headers: [],
    body: null,
    isConstant: false,
    ...changes,
  });
  const send = (changes: Partial<WireRequest> = {}): Recording => {
    const recording = new Recording();
    transport.send(request(changes), recording);
    return recording;
  };
  return { transport, raw, reported, request, send };
}

function speak(connection: Http2Connection, speaker: Speaker): Transport {
  switch (speaker) {
    case "bearhug":
      return new Http2Transport(connection);
    case "node:http2":
      return new NodeHttp2Transport(connection);
    case "undici":
      return speakUndici({
        ...connection,
        protocol: "HTTP/2",
        proxy: null,
        pipelining: 1,
        lastRead: { atMs: 0 },
      });
  }
}

/** Records the events of a request in their order. */
export class Recording implements ExchangeListener {
  readonly calls: string[] = [];
  readonly name = "GET /";
  head: ResponseHead | null = null;
  body = "";
  sentAt: number = Number.NaN;
  error: Error | null = null;
  /** Resolves when the request is over. */
  readonly over: Promise<void>;
  #finish: () => void = () => {};

  constructor() {
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  onStart(): void {
    this.calls.push("start");
  }
  onSent(atMs: number): void {
    this.sentAt = atMs;
    this.calls.push("sent");
  }
  onInterim(): void {}
  onFirstByte(): void {
    this.calls.push("first byte");
  }
  onHead(head: ResponseHead): void {
    this.calls.push("head");
    this.head = head;
  }
  onBody(chunk: Uint8Array): void {
    if (this.calls.at(-1) !== "body") this.calls.push("body");
    this.body += Buffer.from(chunk).toString("latin1");
  }
  onSurplus(): void {
    this.calls.push("surplus");
  }
  onEnd(isBodyUnsent: boolean): void {
    this.calls.push(isBodyUnsent ? "end, body unsent" : "end");
    this.#finish();
  }
  onUnsent(): void {
    this.calls.push("unsent");
    this.#finish();
  }
  onFailure(error: Error): void {
    this.calls.push("failure");
    this.error = error;
    this.#finish();
  }

  /** Returns the facts of a transport failure. */
  async failure(): Promise<TransportFailureInfo & { readonly reason: string }> {
    await this.over;
    if (!(this.error instanceof TransportFailure))
      throw new Error(`no TransportFailure: ${String(this.error)}`);
    return { ...this.error.info, reason: shown(this.error.info.reason) };
  }
}
