import type { ExchangeListener, ResponseHead } from "../../../src/transport/transport.ts";

/** What an exchange does of its own accord, in the middle of being told something. */
export interface Whims {
  readonly onHead?: () => void;
  readonly onBody?: () => void;
  readonly onOver?: () => void;
}

type State = "new" | "started" | "head" | "ended" | "failed" | "cancelled";

/** An exchange that keeps what it is told, and throws for what a transport must not tell in its state. */
export class WatchedExchange implements ExchangeListener {
  readonly name = "fuzz";
  readonly streamId: number;
  readonly token: string;
  readonly #whims: Whims;
  state: State = "new";
  isSent = false;
  /** The server answers it. */
  isAnswered = false;
  head: ResponseHead | null = null;
  body = "";
  error: Error | null = null;

  constructor(streamId: number, token: string, whims: Whims) {
    this.streamId = streamId;
    this.token = token;
    this.#whims = whims;
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
    // Of a request with a body before all of it was sent, if the server is quick.
    this.#expect(["started"], "first byte");
  }
  onHead(head: ResponseHead): void {
    this.#expect(["started"], "head");
    this.state = "head";
    this.head = head;
    this.#whims.onHead?.();
  }
  onBody(chunk: Uint8Array): void {
    this.#expect(["head"], "body");
    this.body += Buffer.from(chunk).toString("latin1");
    this.#whims.onBody?.();
  }
  onSurplus(): void {
    throw new Error("HTTP/2 has no surplus");
  }
  onEnd(): void {
    this.#expect(["head"], "end");
    this.state = "ended";
    this.#whims.onOver?.();
  }
  onUnsent(): void {
    throw new Error("HTTP/2 refuses instead");
  }
  onFailure(error: Error): void {
    this.#expect(["new", "started", "head"], "failure");
    this.state = "failed";
    this.error = error;
    this.#whims.onOver?.();
  }

  #expect(states: readonly State[], what: string): void {
    if (!states.includes(this.state)) throw new Error(`stream ${this.streamId}: ${what} when ${this.state}`);
  }
}
