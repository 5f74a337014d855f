import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";

import { onTestFinished } from "vitest";

import type { Certificate } from "../../../http/test/make-certificate.ts";
import type { ServerScript, Step } from "./server-script.ts";

export interface MisbehavingServer {
  readonly host: string;
  readonly url: string;
  /** The heads of requests on all connections, in order of arrival. */
  readonly heads: string[];
  /** The number of each head's connection, from 0. */
  readonly connectionOf: number[];
  /** Returns the number of connections accepted so far. */
  readonly connections: () => number;
}

/** Starts a server on loopback that treats each connection as a script says; it closes with the test. */
export async function startMisbehaving(
  script: ServerScript,
  certificate: Certificate | null = null,
): Promise<MisbehavingServer> {
  const server = new ScriptedServer(script, certificate);
  const host = `127.0.0.1:${await server.listen(0)}`;
  onTestFinished(() => server.close());
  return {
    host,
    url: `${certificate === null ? "http" : "https"}://${host}`,
    heads: server.heads,
    connectionOf: server.connectionOf,
    connections: () => server.accepted,
  };
}

class ScriptedServer {
  readonly heads: string[] = [];
  readonly connectionOf: number[] = [];
  accepted = 0;
  readonly #script: ServerScript;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #closed = new AbortController();
  #port = 0;

  constructor(script: ServerScript, certificate: Certificate | null) {
    this.#script = script;
    // It is up to the client to report failed handshakes.
    this.#server =
      certificate === null
        ? createServer((socket) => this.#accept(socket))
        : createTlsServer(certificate, (socket) => this.#accept(socket)).on("tlsClientError", () => {});
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).once("close", () => this.#sockets.delete(socket));
    });
  }

  async listen(port: number): Promise<number> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address() as AddressInfo;
    return (this.#port = address.port);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#down();
  }

  async restart(afterMs: number): Promise<void> {
    await this.#down();
    await sleep(afterMs, undefined, { signal: this.#closed.signal });
    await this.listen(this.#port);
  }

  async #down(): Promise<void> {
    const isClosed = this.#server.listening ? once(this.#server, "close") : null;
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await isClosed;
  }

  #accept(socket: Socket): void {
    const number = this.accepted++;
    const steps = this.#script[Math.min(number, this.#script.length - 1)] ?? [];
    const connection = new ScriptedConnection(socket, this, (head) => {
      this.heads.push(head);
      this.connectionOf.push(number);
    });
    // A script fails when its connection ends early.
    connection.run(steps).catch(() => {});
  }
}

class ScriptedConnection {
  readonly #socket: Socket;
  readonly #server: ScriptedServer;
  readonly #closed = new AbortController();
  #unanswered = 0;
  #waiting: { readonly resolve: (value: undefined) => void; readonly reject: () => void } | null = null;

  constructor(socket: Socket, server: ScriptedServer, onHead: (head: string) => void) {
    this.#socket = socket;
    this.#server = server;
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#closed.abort();
      this.#waiting?.reject();
    });
    let pending = "";
    socket.on("data", (bytes: Buffer) => {
      pending += bytes.toString("latin1");
      for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
        onHead(pending.slice(0, end));
        pending = pending.slice(end + 4);
        this.#unanswered++;
        this.#waiting?.resolve(undefined);
      }
      // Forgets the rest of a large body, which holds no head.
      if (pending.length > 100_000) pending = pending.slice(-3);
    });
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#do(step);
  }

  async #do(step: Step): Promise<void> {
    const signal = this.#closed.signal;
    signal.throwIfAborted();
    if (step === "waitForRequest") await this.#nextHead();
    else if (step === "stopReading") this.#socket.pause();
    else if (step === "read") this.#socket.resume();
    else if (step === "end") this.#socket.end();
    else if (step === "reset") this.#socket.resetAndDestroy();
    else if ("write" in step) await this.#write(step.write);
    else if ("waitMs" in step) await this.#wait(step.waitMs);
    else if ("steps" in step) for (let i = 0; i < step.times; i++) await this.run(step.steps);
    else if ("restartAfterMs" in step) await this.#server.restart(step.restartAfterMs);
    else
      for (let i = 0; i < step.times; i++) {
        await this.#write(step.repeat);
        if (step.everyMs > 0) await sleep(step.everyMs, undefined, { signal });
      }
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closed.signal });
    // After a stall, timers fire before pending reads: lets a client in this process read the bytes first.
    await setImmediate();
  }

  async #nextHead(): Promise<void> {
    if (this.#unanswered === 0) {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      this.#waiting = { resolve, reject };
      await promise;
    }
    this.#unanswered--;
  }

  /** Resolves when there is room for more. */
  async #write(bytes: string | Uint8Array): Promise<void> {
    const hasRoom = this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    if (!hasRoom) await once(this.#socket, "drain", { signal: this.#closed.signal });
  }
}
