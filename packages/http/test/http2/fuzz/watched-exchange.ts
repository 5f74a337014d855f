import type { ExchangeListener, ResponseHead } from "../../../src/transport/transport.ts";

/** Actions that an exchange takes in the middle of an event. */
export interface Reactions {
  readonly onHead?: () => void;
  readonly onBody?: () => void;
  readonly onOver?: () => void;
}

type State = "new" | "started" | "head" | "ended" | "failed" | "cancelled";

/** An exchange that records its events, and throws for one that is not allowed in its state. */
export class WatchedExchange implements ExchangeListener {
  readonly name = "fuzz";
  readonly streamId: number;
  readonly token: string;
  readonly #reactions: Reactions;
  state: State = "new";
  isSent = false;
  /** True if the server responds to it. */
  isAnswered = false;
  head: ResponseHead | null = null;
  body = "";
  error: Error | null = null;

  constructor(streamId: number, token: string, reactions: Reactions) {
    this.streamId = streamId;
    this.token = token;
    this.#reactions = reactions;
  }

  get isOver(): boolean {
    return this.state === "ended" || this.state === "failed" || this.state === "cancelled";
  }

  onStart(): void {
    this.#expect(["new"], "start");
    this.state = "started";
  }
  onSent(): void {
    this.#expect(["started", "head"], "sent");
    if (this.isSent) throw new Error("sent twice");
    this.isSent = true;
  }
  onInterim(): void {
    this.#expect(["started"], "interim");
  }
  onFirstByte(): void {
    // If the server is quick, this comes before all of a body has been sent.
    this.#expect(["started"], "first byte");
  }
  onHead(head: ResponseHead): void {
    this.#expect(["started"], "head");
    this.state = "head";
    this.head = head;
    this.#reactions.onHead?.();
  }
  onBody(chunk: Uint8Array): void {
    this.#expect(["head"], "body");
    this.body += Buffer.from(chunk).toString("latin1");
    this.#reactions.onBody?.();
  }
  onSurplus(): void {
    throw new Error("HTTP/2 has no surplus");
  }
  onEnd(): void {
    this.#expect(["head"], "end");
    this.state = "ended";
    this.#reactions.onOver?.();
  }
  onUnsent(): void {
    throw new Error("HTTP/2 refuses instead");
  }
  onFailure(error: Error): void {
    this.#expect(["new", "started", "head"], "failure");
    this.state = "failed";
    this.error = error;
    this.#reactions.onOver?.();
  }

  #expect(states: readonly State[], what: string): void {
    if (!states.includes(this.state)) throw new Error(`stream ${this.streamId}: ${what} when ${this.state}`);
  }
}
