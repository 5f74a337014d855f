/** Failures that only HTTP/2 has. */
export const http2Errors = {
  H2_STREAM_RESET: {
    summary: "The target reset this request's stream (RST_STREAM); the cause is the HTTP/2 error name.",
    cause:
      "A handler in the server failed, or a proxy's upstream did (INTERNAL_ERROR, CANCEL). HTTP_1_1_REQUIRED means that the target wants HTTP/1.1.",
    remedy: 'Check the target\'s log. For HTTP_1_1_REQUIRED, set `protocol: "http1"`.',
    whose: "target",
    processed: "maybe",
  },
  H2_REFUSED_STREAM: {
    summary: "The target refused the stream before processing the request.",
    cause: "More concurrent streams than the target allows, or the target is shutting down.",
    remedy:
      "Lower `maxConcurrentStreams`, or spread requests over more connections with `maxConnections`. The request is safe to retry.",
    whose: "target",
    processed: "no",
  },
  H2_ENHANCE_YOUR_CALM: {
    summary: "The target reports that this client sends too much (ENHANCE_YOUR_CALM).",
    cause: "Its flood protection counted too many streams, resets or requests on one connection.",
    remedy:
      "Lower `maxConcurrentStreams`, set `maxRequestsPerConnection`, or raise the target's limit for this client.",
    whose: "target",
    processed: "maybe",
  },
  H2_GOAWAY: {
    summary:
      "The target shut the connection down (GOAWAY); requests that were open on it failed. The cause is the HTTP/2 error name.",
    cause:
      "NO_ERROR: a restart, or a limit on requests per connection. Any other cause: the target found a fault in the connection.",
    remedy:
      "For NO_ERROR, set `maxRequestsPerConnection` below the target's own limit; the message says if the request is safe to retry. Otherwise, look up the cause.",
    whose: "target",
    processed: "maybe",
  },
  H2_PROTOCOL_ERROR: {
    summary:
      "The target sent a frame or header that HTTP/2 does not allow; bearhug reset the stream or closed the connection.",
    cause:
      'A faulty server or proxy, or a port that does not speak HTTP/2 (`protocol: "h2c"` with an HTTP/1.1 server).',
    remedy: 'If the target has no HTTP/2, use `protocol: "http1"` or `"auto"`. Otherwise, fix the target.',
    whose: "target",
    processed: "maybe",
  },
  H2_PING_TIMEOUT: {
    summary:
      "The connection went silent: a request timed out, a PING then got no reply, and the connection was closed with all requests on it.",
    cause:
      "A server, proxy or firewall dropped the connection without closing it, or the server process hangs.",
    remedy: "Check the target and the network at that time. New requests used another connection.",
    whose: "network",
    processed: "maybe",
    losesTime: true,
  },
} as const;
