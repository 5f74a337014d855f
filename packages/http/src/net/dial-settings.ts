import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";

/** The settings for opening connections: options of `http`, and what their `protocol` requires. */
export interface DialSettings extends Pick<
  ValidatedHttp,
  "tls" | "dns" | "hosts" | "proxy" | "noProxy" | "unixSocket" | "localAddresses"
> {
  readonly negotiation: Negotiation;
  /** True if an HTTP proxy must open a tunnel even without TLS, because it cannot forward the protocol. */
  readonly needsTunnel: boolean;
}

/** The protocols that a TLS handshake offers by ALPN (RFC 7301), and the one that must be negotiated. */
export interface Negotiation {
  /** In order of preference. */
  readonly offers: readonly string[];
  /** The connection fails unless this protocol is negotiated; null accepts any protocol, or none. */
  readonly required: RequiredProtocol | null;
}

/** A protocol that is spoken only if TLS has negotiated it. */
export interface RequiredProtocol {
  /** The ALPN protocol name: `h2`. */
  readonly id: string;
  /** For people: `HTTP/2`. */
  readonly name: string;
  /** For people: advice for an origin without TLS. */
  readonly hintWithoutTls: string;
}
