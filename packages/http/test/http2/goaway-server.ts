import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished } from "vitest";

import { fieldDecoder } from "../hpack/decode.ts";
import * as raw from "./raw-frames.ts";

/** The last stream that the GOAWAY names, relative to those that were answered before it. */
export const lastStreams = ["below", "at", "above"] as const;
/** "warned": first a GOAWAY with the largest stream number, as graceful servers do, then the real one. */
export const kinds = ["plain", "warned", "with an error"] as const;
/** "reset": after the client has read everything. "reset at once": possibly before. */
export const ends = ["open", "half-close", "reset", "half-close, reset", "reset at once"] as const;

/** How a server ends a connection that has six open requests. */
export interface Farewell {
  readonly last: (typeof lastStreams)[number];
  readonly kind: (typeof kinds)[number];
  /** True if frames for accepted streams come after the GOAWAY. */
  readonly hasLaterFrames: boolean;
  /** True if all frames are one write; otherwise the client reads the responses before it gets the GOAWAY. */
  readonly isOneWrite: boolean;
  readonly end: (typeof ends)[number];
}

/** A case: the server ends its first connection with GOAWAY, and serves later ones. */
export class FarewellCase {
  readonly farewell: Farewell;
  /** How often the server processed a request, by path. */
  readonly processed: Map<string, number> = new Map();
  /** Requests that the server accepted but never responds to, though it keeps their connection open. */
  readonly unanswered: Set<string> = new Set();
  /** Requests whose responses the client had read before it got the GOAWAY. */
  readonly answered: Set<string> = new Set();
  /** Resolves when the server has done everything on the first connection. */
  readonly isOver: Promise<void>;
  connection: Connection | null = null;
  readonly requests: { readonly id: number; readonly path: string }[] = [];
  end: () => void = () => {};

  constructor(farewell: Farewell) {
    this.farewell = farewell;
    this.isOver = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  process(path: string): void {
    this.processed.set(path, (this.processed.get(path) ?? 0) + 1);
  }
}

const requestsAtOnce = 6;
const largestStream = 2 ** 31 - 1;

type OnRequest = (connection: Connection, id: number, path: string) => void;

/** A connection, which reports each complete request. */
class Connection {
  readonly #socket: Socket;
  readonly #decoder = fieldDecoder();
  readonly #onRequest: OnRequest;
  readonly #paths = new Map<number, string>();
  #pending: Buffer = Buffer.alloc(0);
  #hasBegun = false;
  #onRead: (() => void) | null = null;
  /** True if further requests are ignored. */
  isDeaf = false;

  constructor(socket: Socket, onRequest: OnRequest) {
    this.#socket = socket;
    this.#onRequest = onRequest;
    socket
      .on("error", () => {})
      .on("close", () => this.#onRead?.())
      .on("data", (bytes: Buffer) => {
        this.#take(bytes);
      });
  }

  write(...frames: readonly Uint8Array[]): void {
    if (this.#socket.writable) this.#socket.write(Buffer.concat(frames));
  }

  /** Resolves when the client has read all that was written, or is gone. */
  async untilRead(): Promise<void> {
    if (!this.#socket.writable) return;
    await new Promise<void>((resolve) => {
      this.#onRead = resolve;
      this.write(raw.ping());
    });
  }

  halfClose(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (!this.#hasBegun) {
      if (this.#pending.length < raw.preface.length) return;
      this.#hasBegun = true;
      this.#pending = this.#pending.subarray(raw.preface.length);
      this.write(raw.settings(), raw.settingsAck());
    }
    const { frames, rest } = raw.splitFrames(this.#pending);
    this.#pending = rest;
    for (const frame of frames) this.#handle(frame);
  }

  #handle({ type, flags, streamId, payload }: raw.ReceivedFrame): void {
    if (type === "PING" && flags === 1) this.#onRead?.();
    if (type === "HEADERS") {
      const fields = this.#decoder.decode(payload, 0, payload.length) ?? [];
      this.#paths.set(streamId, fields[fields.indexOf(":path") + 1] ?? "");
    }
    const isWhole = (type === "HEADERS" || type === "DATA") && (flags & 1) === 1;
    if (isWhole && !this.isDeaf) this.#onRequest(this, streamId, this.#paths.get(streamId) ?? "");
  }
}

/** An HTTP/2 server without TLS that plays the case named first in a path, and counts processed requests. */
export class GoawayServer {
  readonly #cases: ReadonlyMap<string, FarewellCase>;
  port = 0;

  private constructor(cases: ReadonlyMap<string, FarewellCase>) {
    this.#cases = cases;
  }

  /** Starts the server; closed when the test has ended. */
  static async start(cases: ReadonlyMap<string, FarewellCase>): Promise<GoawayServer> {
    const started = new GoawayServer(cases);
    const sockets = new Set<Socket>();
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.add(socket.on("close", () => sockets.delete(socket)));
      new Connection(socket, (connection, id, path) => {
        started.#onRequest(connection, id, path);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    started.port = (server.address() as AddressInfo).port;
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    });
    return started;
  }

  #onRequest(connection: Connection, id: number, path: string): void {
    const [, name = ""] = path.split("/");
    const played = this.#cases.get(name);
    if (played === undefined) throw new Error(`no case for ${path}`);
    const isFirst = played.connection === null;
    if (isFirst) played.connection = connection;
    if (isFirst || played.connection !== connection) {
      played.process(path);
      connection.write(raw.response(id, 200, "served"));
      return;
    }
    played.requests.push({ id, path });
    if (played.requests.length === requestsAtOnce) void sendAway(connection, played);
  }
}

async function sendAway(connection: Connection, played: FarewellCase): Promise<void> {
  const { last, kind, hasLaterFrames, isOneWrite, end } = played.farewell;
  const { requests } = played;
  const accepted = requests.slice(0, last === "above" ? 5 : 3);
  const early = accepted.slice(0, hasLaterFrames && last !== "above" ? 2 : 3);
  const late = hasLaterFrames ? accepted.slice(early.length) : [];
  for (const { path } of accepted) played.process(path);
  const earlyFrames = early.map(({ id }) => raw.response(id, 200, "served"));
  const lateFrames = late.map(({ id }) => raw.response(id, 200, "served"));
  if (last === "below" && late[0] !== undefined) {
    // A client would ignore the later frames if the response had not begun.
    earlyFrames.push(raw.headers(late[0].id, [[":status", "200"]]));
    lateFrames[0] = raw.data(late[0].id, "served", true);
  }
  if (kind === "warned") {
    connection.write(raw.goaway(largestStream, "NO_ERROR"));
    await connection.untilRead();
  }
  const lastAt = last === "below" ? 0 : accepted.length - 1;
  const goaway = raw.goaway(
    requests[lastAt]?.id ?? 0,
    kind === "with an error" ? "INTERNAL_ERROR" : "NO_ERROR",
  );
  connection.isDeaf = true;
  if (isOneWrite) connection.write(...earlyFrames, goaway, ...lateFrames);
  else {
    connection.write(...earlyFrames);
    await connection.untilRead();
    for (const { path } of early) played.answered.add(path);
    connection.write(goaway);
    if (late.length > 0) {
      await connection.untilRead();
      connection.write(...lateFrames);
    }
  }
  if (end === "open" && kind !== "with an error")
    for (const { path } of accepted.slice(early.length + late.length)) played.unanswered.add(path);
  await endAs(end, connection);
  played.end();
}

async function endAs(end: Farewell["end"], connection: Connection): Promise<void> {
  switch (end) {
    case "open":
      return;
    case "half-close":
      connection.halfClose();
      return;
    case "reset":
      await connection.untilRead();
      connection.reset();
      return;
    case "half-close, reset":
      connection.halfClose();
      await sleep(5);
      connection.reset();
      return;
    case "reset at once":
      connection.reset();
  }
}
