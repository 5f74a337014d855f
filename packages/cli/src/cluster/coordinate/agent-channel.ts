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
  /**
   * Called for one message after another, including those that arrived just before the connection broke.
   * @throws {InvalidInput} to reject the agent
   */
  handle(message: ChannelMessage): Promise<void>;
  /** Called for each sign of life, with the shortest round trip that the agent has measured. */
  onClock(roundTripMs: number | null): void;
  /** Called once all earlier messages are handled. */
  onClose(): void;
  /** Called if the coordinator cannot continue, for example because of its disk. */
  onFailure(error: unknown): void;
}

/** Files are sent in chunks, so that other messages can pass in between. */
const chunkBytes = 2 ** 18;

/** If more bytes wait to be handled, reading pauses, which makes the agent wait. */
const maxQueuedBytes = 32 * 2 ** 20;

/** One connection of an agent, whose messages are handled one after another. */
export class AgentChannel implements ConnectionEvents {
  readonly #open: () => Connection;
  readonly #now: () => number;
  readonly #events: ChannelEvents;
  #handled: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  /** True once nothing more can be sent. */
  #isClosed = false;
  /** True once the coordinator ignores further messages. */
  #isDropped = false;

  /**
   * @param open returns the connection, once it exists
   * @param now the coordinator's time, which agents synchronize with
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
    this.#handled = this.#handled.then(() => this.#events.onClose());
  }

  /**
   * Queues a message until earlier ones are handled. Answers a clock request at once, so that its round trip
   * stays short.
   */
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
      this.#handled = this.#handled.then(() => this.#handle(message)).then(() => this.#release(bytes));
    } catch (error) {
      this.#fail(error);
    }
  }

  #hold(bytes: number): void {
    this.#queuedBytes += bytes;
    if (this.#queuedBytes > maxQueuedBytes) this.#open().pause();
  }

  #release(bytes: number): void {
    const wasPaused = this.#queuedBytes > maxQueuedBytes;
    this.#queuedBytes -= bytes;
    if (wasPaused && this.#queuedBytes <= maxQueuedBytes) this.#open().resume();
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
