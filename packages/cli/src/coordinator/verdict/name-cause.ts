import type { ErrorResult } from "@bearhug/sdk";

/** Advice for codes whose remedy fits into a few words; docs/errors.md has the rest. */
const hints: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: "is the server up?",
  CONNECTION_CLOSED: "the server hangs up without an answer: is it overloaded, or does the port speak TLS?",
  CONNECTION_RESET: "the server resets connections: see its log",
  CONNECT_TIMEOUT: "is the address right, and does a firewall let it through?",
  HOST_UNREACHABLE: "is the address right, and the host up?",
  NETWORK_UNREACHABLE: "is this machine connected?",
  SOCKET_NOT_FOUND: "is the server up?",
  DNS_NOT_FOUND: "is the host name right?",
  DNS_FAILED: "do the name servers of this machine work?",
  DNS_TIMEOUT: "do the name servers of this machine answer?",
  UNANSWERED: "the server accepts requests and does not answer them",
  RESPONSE_TIMEOUT: "the server is slower than the test's timeout",
  RESPONSE_TRUNCATED: "the server ends its answers too early: see its log",
  MALFORMED_RESPONSE: "does this port speak HTTP, and not TLS?",
  TLS_CERT_SELF_SIGNED: "trust it with --ca FILE, or skip verification with --insecure",
  TLS_CERT_UNKNOWN_CA: "trust its authority with --ca FILE, or skip verification with --insecure",
  TLS_CERT_EXPIRED: "renew the certificate, or skip verification with --insecure",
  TLS_CERT_NOT_YET_VALID: "check the clocks, or skip verification with --insecure",
  TLS_CERT_WRONG_HOST: "use a name that the certificate has, or skip verification with --insecure",
  TLS_CERT_REJECTED: "trust another with --ca FILE, or skip verification with --insecure",
  TLS_NOT_SPOKEN: "the port speaks no TLS: does http:// fit?",
  TOO_MANY_REDIRECTS: "the redirects have no end",
  HTTP_400: "the server does not understand the request; does the port expect https://?",
  HTTP_401: "does the test log in?",
  HTTP_403: "may this user do that?",
  HTTP_404: "is the path right?",
  HTTP_429: "the server limits the rate",
  HTTP_500: "see the server's log",
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
 * The most frequent failure of requests: "CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?)". Null where the errors
 * tell of none. `failed` is how many requests failed in all: where others failed otherwise, the count is told.
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
