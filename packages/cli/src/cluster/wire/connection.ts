import { once } from "node:events";

import type { RawData, WebSocket } from "ws";

/** A connection between a coordinator and an agent. */
export interface Connection {
  send(message: object): void;
  /** Resolves when the system has accepted the bytes, so that a slow link slows the sender. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Stops reading, which makes the sender wait. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ConnectionEvents {
  onText(text: string): void;
  onBytes(bytes: Buffer): void;
  /** Called once, whichever side closed the connection. */
  onClose(): void;
}

/** Forwards everything received on an open socket to `events`. */
export function connect(socket: WebSocket, events: ConnectionEvents): Connection {
  socket.binaryType = "nodebuffer";
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (!Buffer.isBuffer(data)) return;
    if (isBinary) events.onBytes(data);
    else events.onText(data.toString("utf8"));
  });
  // An error is followed by "close".
  socket.on("error", () => undefined);
  socket.once("close", () => events.onClose());
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
    sendBytes: (bytes) =>
      new Promise((resolve, reject) =>
        socket.send(bytes, (error) => {
          if (error) reject(error);
          else resolve();
        }),
      ),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => {
      // Pending messages are still sent; a peer that does not reply in time is cut off.
      socket.close();
      const cut = setTimeout(() => socket.terminate(), closeTimeoutMs);
      cut.unref();
      void once(socket, "close").then(() => clearTimeout(cut));
    },
  };
}

const closeTimeoutMs = 1000;

/**
 * The size limit of an agent's message, in bytes: many times a compressed record of the largest run, or the
 * data of a setup.
 */
export const maxAgentMessageBytes: number = 16 * 2 ** 20;

/** The size limit of a coordinator's message, in bytes: a test's bundle, or the data of a setup. */
export const maxCoordinatorMessageBytes: number = 128 * 2 ** 20;

/** The header with an agent's version. */
export const versionHeader = "bearhug-version";
