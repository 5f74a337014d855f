/** Failures of the proxy that a test names, not of the target. */
export const proxyErrors = {
  PROXY_UNREACHABLE: {
    summary: "No connection to the proxy could be opened.",
    cause:
      "A wrong `proxy`, or one that is not running. The cause is the system's code, as for any connection.",
    remedy: "Check host and port of `proxy`. Variables such as `HTTPS_PROXY` are not read.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_AUTH_REQUIRED: {
    summary: "The proxy wants a user and a password, or others than it was given (status 407).",
    cause: "A `proxy` without credentials, or with wrong ones.",
    remedy: "Give them in the address: `http://user:password@host:port`, percent-encoded where need be.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_REFUSED: {
    summary: "The proxy answered CONNECT with another status than 2xx.",
    cause:
      "A rule of the proxy against this host or port (403), or a target that the proxy cannot reach (502, 503, 504).",
    remedy:
      "Read the status in the message: allow host and port at the proxy, or look at the way from there.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_FAILED: {
    summary: "The proxy closed the connection, or answered CONNECT with something that is not HTTP.",
    cause: "A port that is no HTTP proxy (a SOCKS or TLS port), or a proxy that is overloaded.",
    remedy: "Check that `proxy` is an HTTP proxy that takes plain HTTP, and look into its log.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_TIMEOUT: {
    summary: "The proxy did not accept the connection, or did not answer CONNECT, within the time-out.",
    cause: "A proxy that is overloaded, or that waits for a target which does not answer it.",
    remedy: "Look at the proxy's own limits, and raise `timeout.connect` where it is only slow.",
    whose: "proxy",
    processed: "no",
  },
} as const;
