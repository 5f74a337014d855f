import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import { onTestFinished } from "vitest";

import type { Certificate } from "../make-certificate.ts";
import {
  preface,
  settings,
  settingsAck,
  splitFrames,
  type FrameType,
  type ReceivedFrame,
} from "./raw-frames.ts";

/** Bytes to send, the connection's end (FIN) or reset (RST), or a frame of the client's to wait for. */
export type Step = Uint8Array | "end" | "reset" | { readonly awaits: FrameType };

/** The steps of a server. */
export interface Http2Script {
  /** Runs after the client's preface; by default SETTINGS without values, and the ACK of the client's. */
  readonly greeting?: readonly Step[];
  /** Runs for each stream that a client opens; `count` numbers them from 1 over all connections. */
  readonly answer?: (streamId: number, count: number) => readonly Step[];
}

export interface RawHttp2Server {
  readonly host: string;
  readonly port: number;
  readonly sockets: Socket[];
  /** The frames from clients, in the order in which they came. */
  readonly frames: ReceivedFrame[];
  /** The frames of one type. */
  framesOf(type: FrameType): ReceivedFrame[];
  /** Resolves when clients have sent so many frames of a type. */
  received(type: FrameType, count?: number): Promise<void>;
}

/** The greeting of a server with default settings. */
const plainGreeting: readonly Step[] = [settings(), settingsAck()];

class Connection {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #hasPreface = false;
  /** Steps run one after another, regardless of their stream. */
  #running: Promise<void> = Promise.resolve();
  readonly #waits: { readonly type: FrameType; readonly resolve: () => void }[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  take(bytes: Buffer, greeting: readonly Step[]): ReceivedFrame[] {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (!this.#hasPreface) {
      if (this.#pending.length < preface.length) return [];
      this.#hasPreface = true;
      this.#pending = this.#pending.subarray(preface.length);
      this.run(greeting);
    }
    const { frames, rest } = splitFrames(this.#pending);
    this.#pending = rest;
    for (const { type } of frames) {
      const position = this.#waits.findIndex((wait) => wait.type === type);
      if (position >= 0) this.#waits.splice(position, 1)[0]?.resolve();
    }
    return frames;
  }

  run(steps: readonly Step[]): void {
    this.#running = this.#running.then(async () => {
      for (const step of steps) await this.#do(step);
    });
  }

  async #do(step: Step): Promise<void> {
    if (step === "end") this.#socket.end();
    else if (step === "reset") this.#socket.resetAndDestroy();
    else if ("awaits" in step) {
      await new Promise<void>((resolve) => this.#waits.push({ type: step.awaits, resolve }));
    } else this.#socket.write(step);
  }
}

/** Starts a server on loopback that follows a script; closed when the test has ended. */
export async function startRawHttp2Server(
  { greeting = plainGreeting, answer = () => [] }: Http2Script,
  certificate?: Certificate,
): Promise<RawHttp2Server> {
  const sockets: Socket[] = [];
  const frames: ReceivedFrame[] = [];
  let count = 0;
  const noticed: (() => void)[] = [];
  const serve = (socket: Socket): void => {
    const connection = new Connection(socket);
    const opened = new Set<number>();
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      for (const frame of connection.take(bytes, greeting)) {
        frames.push(frame);
        if (frame.type !== "HEADERS" || opened.has(frame.streamId)) continue;
        opened.add(frame.streamId);
        connection.run(answer(frame.streamId, (count += 1)));
      }
      for (const resume of noticed.splice(0)) resume();
    });
  };
  const server =
    certificate === undefined
      ? createServer({ noDelay: true }, serve)
      : createTlsServer({ ...certificate, ALPNProtocols: ["h2"], noDelay: true }, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const framesOf = (type: FrameType): ReceivedFrame[] => frames.filter((frame) => frame.type === type);
  return {
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    sockets,
    frames,
    framesOf,
    async received(type, wanted = 1) {
      while (framesOf(type).length < wanted) {
        await new Promise<void>((resolve) => noticed.push(resolve));
      }
    },
  };
}
