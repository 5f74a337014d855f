import type { ValidatedHttp } from "@bearhug/sdk/internal";

/** The settings for opening connections: options of `http`, and the requirements of its protocol. */
export interface DialSettings extends Pick<
  ValidatedHttp,
  "tls" | "dns" | "hosts" | "proxy" | "noProxy" | "unixSocket" | "localAddresses"
> {
  readonly negotiation: Negotiation;
  /** True: an HTTP proxy is asked for a tunnel also where there is no TLS, since it cannot forward the protocol. */
  readonly needsTunnel: boolean;
}

/** The protocols that a TLS handshake offers by ALPN (RFC 7301), and the one it must agree on. */
export interface Negotiation {
  /** In order of preference. */
  readonly offers: readonly string[];
  /** The connection fails unless this protocol is negotiated; null: any protocol will do, or none. */
  readonly required: RequiredProtocol | null;
}

/** A protocol that is spoken only if TLS has negotiated it. */
export interface RequiredProtocol {
  /** As ALPN has it: `h2`. */
  readonly id: string;
  /** For people: `HTTP/2`. */
  readonly name: string;
  /** For people: what to do about an origin without TLS. */
  readonly hintWithoutTls: string;
}
