/** Failures of the configured proxy, not of the target. */
export const proxyErrors = {
  PROXY_UNREACHABLE: {
    summary: "The connection to the proxy could not be opened.",
    cause:
      "The address in `proxy` is wrong, or the proxy is not running. The error's `cause` is the operating system's code.",
    remedy:
      "Check the scheme, host and port in `proxy`; for `https`, also the proxy's certificate. Variables such as `HTTPS_PROXY` are not read.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_AUTH_REQUIRED: {
    summary:
      "The proxy requires a user name and password, or rejected the ones it got (status 407, or its SOCKS5 equivalent).",
    cause: "`proxy` has no credentials, or the wrong ones.",
    remedy: "Put them in the address: `http://user:password@host:port`. Percent-encode special characters.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_REFUSED: {
    summary:
      "The proxy refused to open the tunnel: it answered CONNECT with a status other than 2xx, or a SOCKS5 request with an error.",
    cause:
      "A proxy rule forbids this host or port (403), or the proxy cannot reach the target (502, 503, 504).",
    remedy:
      "The message has the proxy's answer. Allow the host and port on the proxy, or check the route from the proxy to the target.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_FAILED: {
    summary: "The proxy closed the connection, or its reply does not fit the scheme of `proxy`.",
    cause: "The port belongs to another kind of proxy or server, or the proxy is overloaded.",
    remedy:
      "Check that the scheme of `proxy` is right (`http`, `https`, `socks5`, `socks5h`), and read the proxy's log.",
    whose: "proxy",
    processed: "no",
  },
  PROXY_TIMEOUT: {
    summary: "The proxy did not accept the connection, or did not open the tunnel, within the timeout.",
    cause: "The proxy is overloaded, or it waits for a target that does not respond.",
    remedy: "Check the proxy's own limits. If it is only slow, raise `timeout.connect`.",
    whose: "proxy",
    processed: "no",
    losesTime: true,
  },
} as const;
