import type { ErrorResult } from "@bearhug/sdk";

/** Advice for codes whose remedy fits into a few words; docs/errors.md has the rest. */
const hints: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: "is the server up?",
  CONNECTION_CLOSED:
    "the server closes connections without a response: is it overloaded, or does the port speak TLS?",
  CONNECTION_RESET: "the server resets connections: check its log",
  CONNECT_TIMEOUT: "is the address right, or does a firewall block it?",
  HOST_UNREACHABLE: "is the address right, and is the host up?",
  NETWORK_UNREACHABLE: "is this machine online?",
  SOCKET_NOT_FOUND: "is the server up?",
  DNS_NOT_FOUND: "is the host name right?",
  DNS_FAILED: "do this machine's name servers work?",
  DNS_TIMEOUT: "do this machine's name servers respond?",
  UNANSWERED: "the server accepts requests but never responds",
  RESPONSE_TIMEOUT: "the server is slower than the test's timeout",
  RESPONSE_TRUNCATED: "the server cuts its responses short: check its log",
  MALFORMED_RESPONSE: "does this port really speak HTTP?",
  TLS_ALPN_MISMATCH:
    'the server does not negotiate the required HTTP version: protocol "auto" takes what it has, and "h2c" is HTTP/2 without TLS',
  TLS_CERT_SELF_SIGNED: "trust it with --ca FILE, or skip verification with --insecure",
  TLS_CERT_UNKNOWN_CA: "trust its authority with --ca FILE, or skip verification with --insecure",
  TLS_CERT_EXPIRED: "renew the certificate, or skip verification with --insecure",
  TLS_CERT_NOT_YET_VALID: "check the clock on both sides, or skip verification with --insecure",
  TLS_CERT_WRONG_HOST: "use a name that the certificate has, or skip verification with --insecure",
  TLS_CERT_REJECTED: "replace the certificate, or skip verification with --insecure",
  TLS_NOT_SPOKEN: "the port does not speak TLS: try http://",
  TOO_MANY_REDIRECTS: "the redirects never end",
  HTTP_400: "the server rejects the request as malformed: does the port expect https://?",
  HTTP_401: "does the test log in?",
  HTTP_403: "is this user allowed to do that?",
  HTTP_404: "is the path right?",
  HTTP_429: "the server limits the request rate",
  HTTP_500: "check the server's log",
  HTTP_502: "the server behind the proxy is down",
  HTTP_503: "the server is overloaded or in maintenance",
};

/** The failures of requests that have a code and an address in common. */
interface Cause {
  readonly code: string;
  /** The origin, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly count: number;
}

/**
 * The most frequent failure of requests: "CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?)". Null if the errors
 * have none. `failed` is how many requests failed in all: if some failed in other ways, the count is added.
 */
export function describeMostFrequent(errors: readonly ErrorResult[], failed: number): string | null {
  const [first] = causesOf(errors).sort((left, right) => right.count - left.count);
  if (first === undefined) return null;
  const { code, origin, count } = first;
  return describeFailure(code, origin, count < failed ? `, ${count} of ${failed} failures` : "");
}

/** A failed request: its code, the address it went to, and what may help. */
export function describeFailure(code: string, origin: string, share = ""): string {
  const hint = hints[code];
  return `${code} at ${origin.replace(/^https?:\/\//, "")}${share}${hint === undefined ? "" : ` (${hint})`}`;
}

function causesOf(errors: readonly ErrorResult[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { code, origin, count } of errors) {
    // Errors of the test's own code have no address. Surplus bytes follow an answer that counts.
    if (origin === undefined || code === "SURPLUS_BYTES") continue;
    const key = `${code} ${origin}`;
    causes.set(key, { code, origin, count: count + (causes.get(key)?.count ?? 0) });
  }
  return [...causes.values()];
}
