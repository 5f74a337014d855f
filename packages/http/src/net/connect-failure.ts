import type { ForeignText } from "@bearhug/text/foreign-text";

export interface ConnectFailureInfo {
  readonly kind:
    /** The peer ended the connection during the TLS handshake. */
    | "closed"
    /** A protocol was required, and TLS negotiated another one. */
    | "notNegotiated"
    /** The proxy refused, failed, did not speak its protocol, or could not be reached (`cause`). */
    | "proxy";
  /** The details, for people. A ForeignText if it quotes the peer. */
  readonly reason: string | ForeignText;
  /** The system's own code. */
  readonly cause?: string;
  /** The status of the proxy's response to CONNECT. */
  readonly status?: number;
}

/** A connection did not open for a reason that no system error describes. */
export class ConnectFailure extends Error {
  override readonly name = "ConnectFailure";
  readonly info: ConnectFailureInfo;
  constructor(info: ConnectFailureInfo) {
    super(`${info.kind}: its reason may quote what came`);
    this.info = info;
  }
}
