import { foreign, told } from "../../foreign-text.ts";
import { tlsErrorCodes, type TlsErrorCode } from "../connection/tls-error-codes.ts";
import type { DescribedFailure, FailureFacts } from "./failure-facts.ts";
import { messageOf } from "./thrown-words.ts";

/** What was wrong, and the option that would help. */
const says: Readonly<Record<TlsErrorCode, string>> = {
  TLS_ALPN_MISMATCH:
    'the server does not speak the HTTP that was wanted (protocol: "auto" takes what there is)',
  TLS_CERT_EXPIRED: "the certificate has expired (tls.insecureSkipTlsVerify accepts it)",
  TLS_CERT_NOT_YET_VALID: "the certificate is not valid yet (tls.insecureSkipTlsVerify accepts it)",
  TLS_CERT_REJECTED: "the certificate was rejected (tls.insecureSkipTlsVerify accepts it)",
  TLS_CERT_SELF_SIGNED: "nobody known vouches for the certificate but itself (tls.ca trusts it)",
  TLS_CERT_UNKNOWN_CA: "the certificate's issuer is not known (tls.ca trusts it)",
  TLS_CERT_WRONG_HOST: "the certificate is for another host (tls.serverName says which to expect)",
  TLS_CIPHER_MISMATCH: "no cipher suite in common (tls.ciphers)",
  TLS_CLIENT_CERT_REQUIRED:
    "the server wants another certificate of the client than it got (tls.cert and tls.key)",
  TLS_NOT_SPOKEN: "the port does not speak TLS (http: in the address)",
  TLS_VERSION_MISMATCH: "no version of TLS in common (tls.minVersion and tls.maxVersion)",
};

/** What an error of TLS means; null for what is none. */
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

/** What OpenSSL found, without the places in its source and memory that stand around it. */
function reasonOf(message: string): string {
  return /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}
