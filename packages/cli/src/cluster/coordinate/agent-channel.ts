import { InvalidInput } from "@bearhug/sdk";

import type { Connection, ConnectionEvents } from "../wire/connection.ts";
import {
  readFromAgent,
  unpackRecord,
  type FromAgent,
  type FromCoordinator,
  type PostedRecord,
} from "../wire/messages.ts";

export type ChannelMessage =
  | Exclude<FromAgent, { type: "clock" }>
  | { readonly type: "record"; readonly record: PostedRecord };

export interface ChannelEvents {
  /** Called for one message after another, those that came just before the connection broke included. @throws {InvalidInput} to refuse the agent */
  handle(message: ChannelMessage): Promise<void>;
  /** A sign of life, with the shortest round trip that the agent has measured. */
  onClock(roundTripMs: number | null): void;
  /** Called once the messages that came before are handled. */
  onClose(): void;
  /** The coordinator cannot go on, because of the disk for example. */
  onFailure(error: unknown): void;
}

/** Several messages of a file, so that those of others get through between them. */
const chunkBytes = 2 ** 18;

/** So much may wait to be handled. An agent that sends faster has to wait. */
const mostWaitingBytes = 32 * 2 ** 20;

/** One connection of an agent, whose messages are handled one after another. */
export class AgentChannel implements ConnectionEvents {
  readonly #open: () => Connection;
  readonly #now: () => number;
  readonly #events: ChannelEvents;
  #handled: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  /** Nothing more can be sent. */
  #isClosed = false;
  /** The coordinator wants no more of it. */
  #isDropped = false;

  /**
   * @param open the connection, once it is there
   * @param now the coordinator's time, which agents are told
   */
  constructor(open: () => Connection, now: () => number, events: ChannelEvents) {
    this.#open = open;
    this.#now = now;
    this.#events = events;
  }

  send(message: FromCoordinator): void {
    if (!this.#isClosed) this.#open().send(message);
  }

  async sendFile(sha256: string, content: Uint8Array): Promise<void> {
    this.send({ type: "file", sha256, bytes: content.length });
    for (let start = 0; start < content.length && !this.#isClosed; start += chunkBytes)
      await this.#open()
        .sendBytes(content.subarray(start, start + chunkBytes))
        .catch(() => undefined);
  }

  refuse(reason: string): void {
    this.send({ type: "refused", reason });
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#isDropped = true;
    this.#open().close();
  }

  onText(text: string): void {
    this.#enqueue(() => readFromAgent(text), text.length);
  }

  onBytes(bytes: Buffer): void {
    this.#enqueue(() => ({ type: "record", record: unpackRecord(bytes) }), bytes.length);
  }

  onClose(): void {
    this.#isClosed = true;
    this.#handled = this.#handled.then(() => {
      this.#events.onClose();
    });
  }

  /** Handles a message when those before it are handled; a question about the time at once, because its answer ages. */
  #enqueue(read: () => FromAgent | ChannelMessage, bytes: number): void {
    if (this.#isClosed) return;
    try {
      const message = read();
      if (message.type === "clock") {
        this.send({ type: "clock", sentAtMs: message.sentAtMs, atMs: this.#now() });
        this.#events.onClock(message.roundTripMs);
        return;
      }
      this.#hold(bytes);
      this.#handled = this.#handled
        .then(() => this.#handle(message))
        .then(() => {
          this.#release(bytes);
        });
    } catch (error) {
      this.#fail(error);
    }
  }

  #hold(bytes: number): void {
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > mostWaitingBytes) this.#open().pause();
  }

  #release(bytes: number): void {
    const wasPaused = this.#waitingBytes > mostWaitingBytes;
    this.#waitingBytes -= bytes;
    if (wasPaused && this.#waitingBytes <= mostWaitingBytes) this.#open().resume();
  }

  async #handle(message: ChannelMessage): Promise<void> {
    if (this.#isDropped) return;
    try {
      await this.#events.handle(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (error instanceof InvalidInput) this.refuse(error.problems.join(" "));
    else this.#events.onFailure(error);
  }
}
