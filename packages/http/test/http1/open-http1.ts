import { once } from "node:events";
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer, TLSSocket } from "node:tls";

import { systemClock } from "@bearhug/plan/pacing/clock";
import { eachOpeningPhase } from "@bearhug/sdk/internal";
import { onTestFinished } from "vitest";

import type { ExchangeListener, ResponseHead, WireRequest } from "../../src/transport/transport.ts";
import { ClosingSockets } from "../../src/net/closing-sockets.ts";
import { Http1Transport, type Http1Connection } from "../../src/http1/http1-transport.ts";
import { TurnWrites } from "../../src/transport/turn-writes.ts";
import { SharedReader } from "../../src/net/shared-reader.ts";
import { countersBelow } from "../../src/net/wire-counters.ts";
import type { Certificate } from "../make-certificate.ts";

export interface OpenedHttp1 {
  readonly transport: Http1Transport;
  /** The server's end. */
  readonly peer: Socket;
  /** The bytes that the server has read, one character each. */
  readonly receivedText: () => string;
  /** The events that the transport reported to its observer. */
  readonly reported: string[];
  readonly send: (changes?: Partial<WireRequest>, recording?: Recording) => Recording;
}

export interface OpenOptions extends Partial<
  Pick<Http1Connection, "clock" | "maxRequests" | "proxy" | "writes">
> {
  /** The server's certificate; if given, the connection uses TLS. */
  readonly certificate?: Certificate;
  /** TLS reads into its own memory, as it does in a tunnel. */
  readonly isLayered?: boolean;
  /** True if the server reads nothing. */
  readonly isDeaf?: boolean;
}

/** Opens a connection to a server on loopback that the test controls; closed when the test has ended. */
export async function openHttp1(options: OpenOptions = {}): Promise<OpenedHttp1> {
  const { certificate, isDeaf = false, isLayered = false, clock = systemClock } = options;
  const server = certificate === undefined ? createServer() : createTlsServer(certificate);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, certificate === undefined ? "connection" : "secureConnection");
  const { port } = server.address() as AddressInfo;
  const reader = isLayered ? null : new SharedReader();
  const endpoint = { host: "127.0.0.1", port, noDelay: true, ...(reader === null ? {} : { onread: reader }) };
  const ca = certificate?.cert;
  const raw = certificate === undefined || isLayered ? connectTcp(endpoint) : connectTls({ ...endpoint, ca });
  const socket = isLayered ? connectTls({ socket: raw, ca }) : raw;
  await once(socket, certificate === undefined ? "connect" : "secureConnect");
  const [peer] = (await accepted) as [Socket];
  let receivedText = "";
  peer.on("error", () => {});
  if (!isDeaf) peer.on("data", (bytes: Buffer) => (receivedText += bytes.toString("latin1")));
  const isSecure = certificate !== undefined;
  const text = `${isSecure ? "https" : "http"}://shop.example:8080`;
  const origin = { isSecure, host: "shop.example", port: 8080, text, pool: text };
  const reported: string[] = [];
  const closing = new ClosingSockets(systemClock);
  const transport = new Http1Transport({
    origin,
    socket,
    raw,
    wire: (raw instanceof TLSSocket ? countersBelow(raw) : null) ?? raw,
    phases: { ...eachOpeningPhase(() => 0), connecting: 1 },
    peer: { remoteAddress: "127.0.0.1", remotePort: 8080, tls: null },
    proxy: options.proxy ?? null,
    clock,
    maxRequests: options.maxRequests ?? Number.POSITIVE_INFINITY,
    observer: {
      onGone: () => reported.push("gone"),
      onRoom: () => reported.push("room"),
      onUnrequestedBytes: (_transport, bytes, lastName) =>
        reported.push(`${bytes} unrequested after ${lastName}`),
    },
    closing,
    lastRead: { atMs: 0 },
    writes: options.writes ?? new TurnWrites(clock),
    reader,
  });
  onTestFinished(async () => {
    transport.close();
    closing.closeAll();
    peer.destroy();
    server.close();
    await once(server, "close");
  });
  const send: OpenedHttp1["send"] = (changes = {}, recording = new Recording()) => {
    const request = { method: "GET", origin, path: "/", headers: [], body: null, isConstant: false };
    transport.send({ ...request, ...changes }, recording);
    return recording;
  };
  return { transport, peer, receivedText: () => receivedText, reported, send };
}

/** Records the events of a request in their order, and calls `on` for each. */
export class Recording implements ExchangeListener {
  readonly calls: string[] = [];
  head: ResponseHead | null = null;
  body = "";
  error: Error | null = null;
  surplus = 0;
  readonly name = "GET /";
  firstByteAt: number = Number.NaN;
  /** Resolves when the request is over. */
  readonly over: Promise<void>;
  readonly #on: (call: string) => void;
  #finish: () => void = () => {};

  constructor(on: (call: string) => void = () => {}) {
    this.#on = on;
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  onStart(): void {
    this.#record("start");
  }
  onSent(): void {
    this.#record("sent");
  }
  onInterim(): void {}
  onFirstByte(atMs: number): void {
    this.firstByteAt = atMs;
    this.#record("first byte");
  }
  onHead(head: ResponseHead): void {
    this.head = head;
    this.#record("head");
  }
  onBody(chunk: Uint8Array): void {
    this.body += Buffer.from(chunk).toString("latin1");
    this.#record("body");
  }
  onSurplus(bytes: number): void {
    this.surplus = bytes;
    this.#record("surplus");
  }
  onEnd(isBodyUnsent: boolean): void {
    this.#record(isBodyUnsent ? "end, body unsent" : "end");
    this.#finish();
  }
  onUnsent(): void {
    this.#record("unsent");
    this.#finish();
  }
  onFailure(error: Error): void {
    this.error = error;
    this.#record("failure");
    this.#finish();
  }

  #record(call: string): void {
    if (call !== "body" || this.calls.at(-1) !== "body") this.calls.push(call);
    this.#on(call);
  }
}
