import type { ForeignText } from "@bearhug/text/foreign-text";

/** The kinds of failure that no system error states. */
export type TransportFailureKind =
  /** The peer ended the connection. */
  | "closed"
  /** The response is not valid HTTP. */
  | "malformed"
  | "headersTooLarge"
  | "tooManyInterim"
  /** A change of protocol that nobody asked for. */
  | "upgraded"
  /** HTTP/1.1 with pipelining: the connection was closed because of another request on it. */
  | "pipelineBroken"
  /** The request's own body could not be read. */
  | "requestBody"
  /** HTTP/2: the peer reset the stream. */
  | "streamReset"
  /** HTTP/2: the peer sends the connection away; `isUnprocessed` says whether it has done nothing for this request. */
  | "goaway"
  /** HTTP/2: a frame or a state that the protocol does not allow. */
  | "protocolError"
  /** HTTP/2: nothing came any more, not even the answer to a PING. */
  | "silent";

export interface TransportFailureInfo {
  readonly kind: TransportFailureKind;
  /** For people: what exactly. What quotes the peer is a ForeignText. */
  readonly reason: string | ForeignText;
  /** The name of the HTTP/2 error. */
  readonly cause?: string;
  /** Known not to have been processed: safe to repeat. */
  readonly isUnprocessed?: boolean;
}

/** A request failed on its connection for a reason that is the protocol's, not the system's. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly info: TransportFailureInfo;
  constructor(info: TransportFailureInfo) {
    super(`${info.kind}: its reason may quote what came`);
    this.info = info;
  }
}
