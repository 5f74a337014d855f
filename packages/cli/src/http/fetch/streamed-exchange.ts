import type { ResponseHead } from "../transport/transport.ts";
import { Exchange, type ExchangeOrder } from "../exchange/exchange.ts";
import type { ResponseStream } from "./response-stream.ts";

/** A request whose response is handed on while it comes. */
interface StreamedOrder extends ExchangeOrder {
  readonly stream: ResponseStream;
}

/** An exchange that hands on what it is told: nothing of the response is kept. */
export class StreamedExchange extends Exchange {
  declare readonly order: StreamedOrder;

  override leaveUnread(): void {
    this.order.stream.leave();
  }

  override onStart(): void {
    super.onStart();
    this.order.stream.onStart(this);
  }

  override onSent(atMs: number): void {
    super.onSent(atMs);
    this.order.stream.onSent();
  }

  override onInterim(head: ResponseHead): void {
    super.onInterim(head);
    this.order.stream.onInterim(head);
  }

  override onFirstByte(atMs: number): void {
    super.onFirstByte(atMs);
    this.order.stream.onFirstByte();
  }

  override onHead(head: ResponseHead): void {
    super.onHead(head);
    this.order.stream.onHead(this, head);
  }

  onTrailers(fields: readonly string[]): void {
    this.order.stream.onTrailers(fields);
  }

  override onBody(chunk: Uint8Array, atMs?: number): void {
    super.onBody(chunk, atMs);
    this.order.stream.onBody(chunk);
  }
}
