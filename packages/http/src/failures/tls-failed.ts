import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreignLine, foreignSentence } from "@bearhug/text/foreign-text";

import { clientRefused, handshakeFailure } from "../net/shake-hands.ts";
import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import { messageOf } from "./thrown-fields.ts";

interface TlsError {
  readonly code: KnownHttpErrorCode;
  /** The problem, and the option that helps. */
  readonly problem: string;
  /** The error codes of Node 24 (OpenSSL 3) for it. */
  readonly causes: readonly string[];
}

/**
 * The TLS errors that have their own codes. `EPROTO`, and other causes that begin with `ERR_SSL_`, `ERR_TLS_`
 * or `ERR_OSSL_`, are `TLS_FAILED`. Alerts about certificates come from servers that reject the client's
 * certificate; in TLS 1.3 they are only read after the handshake.
 */
const tlsErrors: readonly TlsError[] = [
  {
    code: "TLS_CERT_EXPIRED",
    problem: "the certificate has expired (to test anyway: tls.insecureSkipTlsVerify)",
    causes: ["CERT_HAS_EXPIRED"],
  },
  {
    code: "TLS_CERT_NOT_YET_VALID",
    problem: "the certificate is not valid yet (to test anyway: tls.insecureSkipTlsVerify)",
    causes: ["CERT_NOT_YET_VALID"],
  },
  {
    code: "TLS_CERT_SELF_SIGNED",
    problem: "the certificate is self-signed, or its root is not trusted (trust it with tls.ca)",
    causes: ["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  },
  {
    code: "TLS_CERT_UNKNOWN_CA",
    problem: "the certificate's issuer is unknown (trust it with tls.ca)",
    causes: [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "UNABLE_TO_GET_ISSUER_CERT",
    ],
  },
  {
    code: "TLS_CERT_WRONG_HOST",
    problem: "the certificate is for another host (set the expected name with tls.serverName)",
    causes: ["ERR_TLS_CERT_ALTNAME_INVALID", "ERR_TLS_CERT_ALTNAME_FORMAT", "HOSTNAME_MISMATCH"],
  },
  {
    code: "TLS_CERT_REJECTED",
    problem: "the certificate was rejected (to test anyway: tls.insecureSkipTlsVerify)",
    causes: [
      "CERT_CHAIN_TOO_LONG",
      "CERT_REJECTED",
      "CERT_REVOKED",
      "CERT_SIGNATURE_FAILURE",
      "CERT_UNTRUSTED",
      "ERROR_IN_CERT_NOT_AFTER_FIELD",
      "ERROR_IN_CERT_NOT_BEFORE_FIELD",
      "INVALID_CA",
      "INVALID_PURPOSE",
      "PATH_LENGTH_EXCEEDED",
      "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
      "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
      // For example a key or a digest that is too weak.
      "UNSPECIFIED",
    ],
  },
  {
    code: "TLS_VERSION_MISMATCH",
    problem: "no TLS version in common (see tls.minVersion and tls.maxVersion)",
    causes: [
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
      "ERR_SSL_NO_PROTOCOLS_AVAILABLE",
      "ERR_SSL_UNSUPPORTED_PROTOCOL",
      "ERR_SSL_TLSV1_ALERT_INAPPROPRIATE_FALLBACK",
    ],
  },
  {
    code: "TLS_CIPHER_MISMATCH",
    problem: "no cipher suite in common (see tls.ciphers)",
    causes: [
      handshakeFailure,
      "ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY",
      "ERR_SSL_NO_CIPHERS_AVAILABLE",
      "ERR_SSL_NO_SHARED_CIPHER",
      "ERR_SSL_WRONG_CIPHER_RETURNED",
      "ERR_SSL_DH_KEY_TOO_SMALL",
    ],
  },
  {
    code: "TLS_ALPN_MISMATCH",
    problem: 'the server does not speak the required HTTP version (protocol: "auto" accepts any)',
    causes: ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"],
  },
  {
    code: "TLS_CLIENT_CERT_REQUIRED",
    problem: "the server requires a client certificate, or rejected this one (see tls.cert and tls.key)",
    causes: [
      clientRefused,
      "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
      "ERR_SSL_SSL/TLS_ALERT_NO_CERTIFICATE",
      "ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE",
      "ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE",
      "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED",
      "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED",
      "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN",
      "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
      "ERR_SSL_TLSV1_ALERT_ACCESS_DENIED",
    ],
  },
  {
    code: "TLS_NOT_SPOKEN",
    problem: "the port does not speak TLS (use http: in the address)",
    causes: [
      "ERR_SSL_WRONG_VERSION_NUMBER",
      "ERR_SSL_PACKET_LENGTH_TOO_LONG",
      "ERR_SSL_DATA_LENGTH_TOO_LONG",
      "ERR_SSL_HTTP_REQUEST",
      "ERR_SSL_UNKNOWN_PROTOCOL",
    ],
  },
];

/** The errors by cause. */
export const tlsErrorsByCause: ReadonlyMap<string, TlsError> = new Map(
  tlsErrors.flatMap((error) => error.causes.map((cause) => [cause, error])),
);

/** Describes a TLS error; null if it is not a TLS error. */
export function describeTlsError(
  cause: string,
  error: unknown,
  { origin }: FailureInfo,
): DescribedFailure | null {
  const known = tlsErrorsByCause.get(cause);
  const message = messageOf(error);
  const words = message === null ? "" : foreignSentence`: ${foreignLine(reasonOf(message))}`;
  if (known !== undefined)
    return { code: known.code, message: foreignSentence`TLS with ${origin}: ${known.problem}${words}` };
  if (!/^(?:ERR_(?:SSL|TLS|OSSL)_|EPROTO$)/.test(cause)) return null;
  return {
    code: "TLS_FAILED",
    message: foreignSentence`TLS with ${origin} failed (tls.serverName or tls.maxVersion may help)${words}`,
  };
}

/** Returns OpenSSL's reason, without its source locations and memory addresses. */
function reasonOf(message: string): string {
  return /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}
