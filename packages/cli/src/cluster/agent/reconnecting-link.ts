import { type Clock, every } from "@bearhug/plan/pacing/clock";
import { InvalidInput } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";

import type { Connection } from "../wire/connection.ts";
import type { Dial } from "../wire/dial.ts";
import type { FromAgent } from "../wire/messages.ts";

export interface KeptLinkOptions {
  readonly clock: Clock;
  readonly dial: Dial;
  readonly events: KeptLinkEvents;
}

export interface KeptLinkEvents {
  /** There is a new connection. */
  onOpen(): void;
  onText(text: string): void;
  onBytes(bytes: Buffer): void;
  onClose(): void;
  /** Connecting failed, for this reason; another attempt follows. */
  onFailure(reason: string): void;
  /** Connecting failed for good: another attempt would not help. */
  onRefusal(error: InvalidInput): void;
}

const firstWaitMs = 250;
const maxWaitMs = 5000;
/** The coordinator sends a message every 2 s. If none comes for this long, the connection is dead. */
const deadAfterMs = 8000;

/** A link to the coordinator that reconnects whenever the connection breaks, with growing waits. */
export class KeptLink {
  readonly #parts: KeptLinkOptions;
  readonly #endWatch: () => void;
  #connection: Connection | null = null;
  #waitMs = firstWaitMs;
  #lastMessageAtMs: number;
  #openedAtMs = 0;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: KeptLinkOptions) {
    this.#parts = parts;
    this.#lastMessageAtMs = parts.clock.now();
    this.#endWatch = every(parts.clock, 1000, () => {
      const openMs = parts.clock.now() - this.#openedAtMs;
      if (Math.min(this.silentMs, openMs) > deadAfterMs) this.#connection?.close();
    });
    void this.#open();
  }

  /** The time since the last message from the coordinator. */
  get silentMs(): number {
    return this.#parts.clock.now() - this.#lastMessageAtMs;
  }

  send(message: FromAgent): void {
    this.#connection?.send(message);
  }

  /** Sends bytes; they are lost if there is no connection, or it breaks. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    await this.#connection?.sendBytes(bytes).catch(() => undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#endWatch();
    this.#cancelRetry();
    this.#connection?.close();
  }

  async #open(): Promise<void> {
    const { dial, events, clock } = this.#parts;
    const attempt = { hasClosed: false };
    try {
      const connection = await dial({
        onText: (text) => {
          this.#noteMessage();
          events.onText(text);
        },
        onBytes: (bytes) => {
          this.#noteMessage();
          events.onBytes(bytes);
        },
        onClose: () => {
          attempt.hasClosed = true;
          this.#connection = null;
          events.onClose();
          this.#retry();
        },
      });
      if (this.#isClosed || attempt.hasClosed) {
        connection.close();
        return;
      }
      this.#connection = connection;
      this.#openedAtMs = clock.now();
      events.onOpen();
    } catch (error) {
      if (this.#isClosed) return;
      if (error instanceof InvalidInput) {
        events.onRefusal(error);
        return;
      }
      events.onFailure(errorMessage(error));
      this.#retry();
    }
  }

  #noteMessage(): void {
    this.#lastMessageAtMs = this.#parts.clock.now();
    this.#waitMs = firstWaitMs;
  }

  #retry(): void {
    if (this.#isClosed) return;
    const { clock } = this.#parts;
    // Spreads the reconnections of many agents that lost their coordinator at the same moment.
    const waitMs = this.#waitMs * (0.5 + Math.random() / 2);
    this.#waitMs = Math.min(maxWaitMs, this.#waitMs * 2);
    this.#cancelRetry = clock.at(clock.now() + waitMs, () => void this.#open());
  }
}
