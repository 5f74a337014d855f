import type { ResponseHead } from "../transport/transport.ts";
import { Exchange, type ExchangeRequest } from "../exchange/exchange.ts";
import type { ResponseStream } from "./response-stream.ts";

/** A request whose response is passed on while it arrives. */
interface StreamedRequest extends ExchangeRequest {
  readonly stream: ResponseStream;
}

/** An exchange that passes all events on to a stream, and keeps nothing of the response. */
export class StreamedExchange extends Exchange {
  declare readonly request: StreamedRequest;

  override leaveUnread(): void {
    this.request.stream.leave();
  }

  override onStart(atMs: number | null = null): void {
    super.onStart(atMs);
    this.request.stream.onStart(this);
  }

  override onSent(atMs: number): void {
    super.onSent(atMs);
    this.request.stream.onSent();
  }

  override onInterim(head: ResponseHead): void {
    super.onInterim(head);
    this.request.stream.onInterim(head);
  }

  override onFirstByte(atMs: number): void {
    super.onFirstByte(atMs);
    this.request.stream.onFirstByte();
  }

  override onHead(head: ResponseHead): void {
    super.onHead(head);
    this.request.stream.onHead(this, head);
  }

  onTrailers(fields: readonly string[]): void {
    this.request.stream.onTrailers(fields);
  }

  override onBody(chunk: Uint8Array, atMs?: number): void {
    super.onBody(chunk, atMs);
    this.request.stream.onBody(chunk);
  }
}
