import { foreign, told } from "../../foreign-text.ts";
import { tlsErrorCodes, type TlsErrorCode } from "../../net/tls-error-codes.ts";
import type { DescribedFailure, FailureFacts } from "./failure-facts.ts";
import { messageOf } from "./thrown-words.ts";

/** The sentence for each code: the problem, and the option that helps. */
const says: Readonly<Record<TlsErrorCode, string>> = {
  TLS_ALPN_MISMATCH: 'the server does not speak the required HTTP version (protocol: "auto" accepts any)',
  TLS_CERT_EXPIRED: "the certificate has expired (to test anyway: tls.insecureSkipTlsVerify)",
  TLS_CERT_NOT_YET_VALID: "the certificate is not valid yet (to test anyway: tls.insecureSkipTlsVerify)",
  TLS_CERT_REJECTED: "the certificate was rejected (to test anyway: tls.insecureSkipTlsVerify)",
  TLS_CERT_SELF_SIGNED: "the certificate is self-signed, or its root is not trusted (trust it with tls.ca)",
  TLS_CERT_UNKNOWN_CA: "the certificate's issuer is unknown (trust it with tls.ca)",
  TLS_CERT_WRONG_HOST: "the certificate is for another host (set the expected name with tls.serverName)",
  TLS_CIPHER_MISMATCH: "no cipher suite in common (see tls.ciphers)",
  TLS_CLIENT_CERT_REQUIRED:
    "the server requires a client certificate, or rejected this one (see tls.cert and tls.key)",
  TLS_NOT_SPOKEN: "the port does not speak TLS (use http: in the address)",
  TLS_VERSION_MISMATCH: "no TLS version in common (see tls.minVersion and tls.maxVersion)",
};

/** Describes a TLS error; null if the error is not TLS's. */
export function describeTlsError(
  cause: string,
  error: unknown,
  { origin }: FailureFacts,
): DescribedFailure | null {
  const code = tlsErrorCodes.get(cause);
  const message = messageOf(error);
  const words = message === null ? "" : told`: ${foreign(reasonOf(message))}`;
  if (code !== undefined) return { code, message: told`TLS with ${origin}: ${says[code]}${words}` };
  if (!/^(?:ERR_(?:SSL|TLS|OSSL)_|EPROTO$)/.test(cause)) return null;
  return {
    code: "TLS_FAILED",
    message: told`TLS with ${origin} failed (tls.serverName or tls.maxVersion may help)${words}`,
  };
}

/** Returns OpenSSL's reason, without the places in its source and memory. */
function reasonOf(message: string): string {
  return /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}
