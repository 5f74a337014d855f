import { once } from "node:events";

import type { RawData, WebSocket } from "ws";

/** A connection between a coordinator and an agent. */
export interface Connection {
  send(message: object): void;
  /** Resolves when the bytes have been passed to the system, so that a slow link slows the sender. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Reads no more for now, so that the sender has to wait. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ConnectionEvents {
  onText(text: string): void;
  onBytes(bytes: Buffer): void;
  /** Once, whoever ended it. */
  onClose(): void;
}

/** Tells `events` of everything that comes over an open socket. */
export function connect(socket: WebSocket, events: ConnectionEvents): Connection {
  socket.binaryType = "nodebuffer";
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (!Buffer.isBuffer(data)) return;
    if (isBinary) events.onBytes(data);
    else events.onText(data.toString("utf8"));
  });
  // An error is followed by "close".
  socket.on("error", () => undefined);
  socket.once("close", () => {
    events.onClose();
  });
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
    sendBytes: (bytes) =>
      new Promise((resolve, reject) => {
        socket.send(bytes, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    pause: () => {
      socket.pause();
    },
    resume: () => {
      socket.resume();
    },
    close: () => {
      // Messages on their way still leave; a peer that does not answer is cut off.
      socket.close();
      const cut = setTimeout(() => {
        socket.terminate();
      }, closingMs);
      cut.unref();
      void once(socket, "close").then(() => {
        clearTimeout(cut);
      });
    },
  };
}

const closingMs = 1000;

/** The longest message of an agent: many times a compressed record of the widest run, or the data of a setup. */
export const mostFromAgentBytes: number = 16 * 2 ** 20;

/** The longest message of a coordinator: a test's bundle, or the data of a setup. */
export const mostFromCoordinatorBytes: number = 128 * 2 ** 20;

/** The header in which an agent tells its version. */
export const versionHeader = "bearhug-version";
