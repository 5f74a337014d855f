import type { HpackEncoder } from "../hpack/hpack-encoder.ts";
import { errorCode, Http2Violation } from "./error-codes.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { defaultWindowBytes, largestWindow, pingBytes, pingFrame } from "./frames.ts";
import type { Http2Stream } from "./http2-stream.ts";
import type { ConnectionEvents } from "./incoming.ts";
import type { Responses } from "./responses.ts";
import type { SendFlow } from "./send-flow.ts";
import { settingsReply, type PeerSettings } from "./settings.ts";
import { invalidResponse, type Goaway } from "./stream-failure.ts";

/** Receives the server's limits and GOAWAY for the connection. */
export interface ControlOwner {
  /** The server allows `streams` streams at once. */
  onAllowed(streams: number): void;
  onGoaway(goaway: Goaway): void;
}

/** The parts of a connection that control frames affect. */
export interface ControlledConnection {
  readonly owner: ControlOwner;
  readonly responses: Responses;
  readonly writer: FrameWriter;
  readonly flow: SendFlow;
  readonly encoder: HpackEncoder;
}

/** Handles a server's control frames: SETTINGS, WINDOW_UPDATE, PING and GOAWAY. */
export class PeerControl implements ConnectionEvents {
  readonly #parts: ControlledConnection;
  /** Bytes of bodies that a new stream may send. */
  initialWindowBytes: number = defaultWindowBytes;
  goaway: Goaway | null = null;
  #onPingReply: (() => void) | null = null;

  constructor(parts: ControlledConnection) {
    this.#parts = parts;
  }

  /** Calls back when the server replies. */
  ping(onReply: () => void): void {
    this.#onPingReply = onReply;
    this.#parts.writer.add(pingFrame(ourPing, false));
  }

  onSettings(settings: PeerSettings): void {
    const { owner, responses, writer, flow, encoder } = this.#parts;
    const growth = settings.initialWindowBytes - this.initialWindowBytes;
    this.initialWindowBytes = settings.initialWindowBytes;
    if (growth !== 0) for (const stream of responses.streams.all()) growWindow(stream, growth);
    flow.maxFrameBytes = settings.maxFrameBytes;
    encoder.allowTable(settings.headerTableBytes);
    writer.add(settingsReply);
    if (growth > 0) flow.sendWaiting();
    owner.onAllowed(settings.maxConcurrentStreams);
  }

  onPing(opaque: Buffer, isReply: boolean): void {
    if (!isReply) {
      this.#parts.writer.add(pingFrame(opaque, true));
      return;
    }
    const onReply = this.#onPingReply;
    if (onReply === null || !opaque.equals(ourPing)) {
      throw new Http2Violation(errorCode.protocolError, "a reply to a PING that nobody sent");
    }
    this.#onPingReply = null;
    onReply();
  }

  onGoaway(goaway: Goaway): void {
    this.goaway = goaway;
    this.#parts.owner.onGoaway(goaway);
  }

  onWindowUpdate(streamId: number, increment: number): void {
    if (streamId === 0) {
      if (increment === 0) throw new Http2Violation(errorCode.protocolError, "a WINDOW_UPDATE of 0");
      this.#parts.flow.grow(increment);
      return;
    }
    const stream = this.#parts.responses.find("WINDOW_UPDATE", streamId);
    if (stream === null) return;
    const code = increment === 0 ? errorCode.protocolError : errorCode.flowControlError;
    if (increment === 0 || stream.sendWindow + increment > largestWindow) {
      this.#parts.responses.refuse(stream, invalidResponse(`a WINDOW_UPDATE of ${increment}`, code), code);
      return;
    }
    stream.sendWindow += increment;
    this.#parts.flow.sendWaiting();
  }
}

const ourPing = Buffer.alloc(pingBytes, "bearhug");

function growWindow(stream: Http2Stream, growth: number): void {
  stream.sendWindow += growth;
  if (stream.sendWindow > largestWindow) {
    throw new Http2Violation(errorCode.flowControlError, "an INITIAL_WINDOW_SIZE past the largest window");
  }
}
